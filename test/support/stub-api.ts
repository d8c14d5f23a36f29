import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Http } from '../../functions/domain/api-answer.ts'

export interface StubRequest {
  readonly host: string
  readonly method: string
  readonly path: string
  readonly search: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export interface StubAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent as it is, anything else as JSON. */
  readonly body: unknown
}

/** A sender's API on loopback. What it was asked is kept. */
export const stubApi = async (answer: (asked: StubRequest) => StubAnswer | Promise<StubAnswer>) => {
  const asked: StubRequest[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', chunk => (body += chunk))
    request.on('end', async () => {
      const { pathname: path, searchParams: search } = new URL(request.url ?? '', 'http://stub')
      const host = request.headers.host ?? ''
      const one = { host, method: request.method ?? '', path, search, headers: request.headers, body }
      asked.push(one)
      const { status = 200, headers = {}, body: said } = await answer(one)
      const text = typeof said === 'string'
      response.writeHead(status, { 'content-type': text ? 'text/html' : 'application/json', ...headers })
      response.end(text ? said : JSON.stringify(said))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The same without a server. */
export const httpOf =
  (answer: (asked: StubRequest) => StubAnswer | Promise<StubAnswer>, asked: StubRequest[] = []): Http =>
  async ({ method, url, headers, body = '' }) => {
    const { host, pathname: path, searchParams: search } = new URL(url)
    const one = { host, method, path, search, headers, body }
    asked.push(one)
    const { status = 200, headers: sent = {}, body: said } = await answer(one)
    const text = typeof said === 'string'
    return {
      status,
      headers: { 'content-type': text ? 'text/html' : 'application/json', ...sent },
      text: text ? said : JSON.stringify(said),
    }
  }
