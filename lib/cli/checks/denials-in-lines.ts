/** What a function was refused. */
export interface Denial {
  readonly action: string
  /** Without the account, and without the key of an object. */
  readonly resource: string
  readonly times: number
}

/** What both spellings of a refusal hold: AWS's own, in the trace of a crash, and ours, in a `cause`. */
export const DENIAL_TEXTS = ['no permission for', 'is not authorized to perform'] as const

/** Most often first. */
export const denialsIn = async (lines: AsyncIterable<string>): Promise<readonly Denial[]> => {
  const times = new Map<string, number>()
  for await (const line of lines) {
    const said = DENIED.exec(line)
    if (said === null) continue
    const key = `${said[1]} ${nameOf(said[2] ?? '')}`
    times.set(key, (times.get(key) ?? 0) + 1)
  }
  return [...times]
    .toSorted(([, one], [, other]) => other - one)
    .map(([key, count]) => {
      const [action = '', resource = ''] = key.split(' ')
      return { action, resource, times: count }
    })
}

/** Inside JSON, so S3's quotes around a resource are escaped. */
const DENIED = /(?:no permission for|is not authorized to perform:) ([\w-]+:\w+) on (?:resource: )?[\\"]*([^\s\\",]+)/

/** `arn:aws:s3:::bodies/7d/...` is `bodies`, `arn:aws:dynamodb:eu-central-1:123456789012:table/events` is `table/events`. */
const nameOf = (resource: string): string =>
  resource
    .replace(/^arn:aws[\w-]*:s3:::([^/]+).*/, '$1')
    .replace(/^arn:(?:[^:]*:){4}/, '')
    .replace(/\.$/, '')
