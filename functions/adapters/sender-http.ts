import type { Http, HttpAnswer } from '../domain/api-answer.ts'

const WITHIN_MS = 30_000
/** A page of a hundred events, each with its body. */
const MOST_BYTES = 32 * 1024 * 1024

/** Calls of a sender's API. A redirect is not followed: it could lead the key to another host. */
export const senderHttp: Http = async ({ method, url, headers, body }) => {
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(WITHIN_MS),
    ...(body !== undefined && { body }),
  }).catch(rethrowCause)
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await textOf(response) }
}

const textOf = async ({ body }: Response): Promise<HttpAnswer['text']> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Error('the answer is larger than 32 MB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** "fetch failed" says nothing; what failed is its cause. */
const rethrowCause = (error: unknown): never => {
  throw error instanceof Error && error.cause instanceof Error ? error.cause : error
}
