import type { Problem, ProblemType } from '../problem.ts'

/** In local storage, so an event opened in a second tab is let in too; each run of the console has another token. */
const KEY = 'hooklatch-token'

/** Moves the token of the printed URL out of the address bar, where it would be copied, bookmarked and looked at. */
export const takeToken = (): void => {
  const url = new URL(location.href)
  const token = url.searchParams.get('token')
  if (token === null) return
  localStorage.setItem(KEY, token)
  url.searchParams.delete('token')
  history.replaceState(null, '', url)
}

/** The server's own words, or that it did not answer. */
export class ApiError extends Error {
  readonly type: ProblemType | 'gone'
  constructor(type: ApiError['type'], detail: string) {
    super(detail)
    this.type = type
  }
}

export const GONE = 'The console does not answer. Start it again with npm start or npx hooklatch console.'

export const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const headers = { ...init.headers, authorization: `Bearer ${localStorage.getItem(KEY) ?? ''}` }
  const response = await fetch(path, { ...init, headers }).catch((error: unknown) => {
    throw init.signal?.aborted ? error : new ApiError('gone', GONE)
  })
  if (response.ok) return response
  const problem = (await response.json().catch(() => undefined)) as Problem | undefined
  const word = problem?.type.split('#')[1] as ProblemType | undefined
  throw new ApiError(word ?? 'unexpected', problem?.detail ?? `The console answered ${response.status}.`)
}

export const get = async <Value>(path: string, signal?: AbortSignal): Promise<Value> =>
  (await call(path, signal ? { signal } : {})).json() as Promise<Value>

export const post = async <Value>(path: string, body: unknown): Promise<Value> =>
  (
    await call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json() as Promise<Value>
