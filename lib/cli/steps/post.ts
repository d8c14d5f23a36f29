export interface Answer {
  /** The number, or `none` when nobody answered. */
  readonly status: string
  readonly text: string
  /** A sender would not complain: taken, or being taken by another delivery. */
  readonly welcome: boolean
}

export const post = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Promise<Answer> => {
  try {
    const answer = await fetch(url, { method: 'POST', headers, body: Buffer.from(body) })
    const text = await answer.text()
    return { status: String(answer.status), text, welcome: answer.ok || answer.status === 409 }
  } catch (error) {
    const cause = (error as Error).cause
    return { status: 'none', text: cause instanceof Error ? cause.message : String(error), welcome: false }
  }
}
