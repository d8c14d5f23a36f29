import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { explainFault } from '../operator/explain-fault.ts'
import { type Access, foreignCall, hasToken } from './access.ts'
import type { Page } from './build-page.ts'
import { isProblem, type Problem } from './problem.ts'
import { send, sendGiven, sendJson, sendLines, sendProblem } from './respond.ts'
import { findRoute } from './routes.ts'
import { viewNames } from './views.ts'
import type { ConsoleWorld } from './world.ts'

export interface ConsoleOptions {
  readonly world: ConsoleWorld
  /** Built when somebody first opens it, so it costs nothing until then. */
  readonly page: () => Promise<Page>
  /** Known when the port is. */
  readonly access: () => Access
  /** Aborted when the console closes. */
  readonly closing: AbortSignal
  readonly warn: (sentence: string) => void
}

/** The page and its API. Not listening yet. */
export const consoleServer = (options: ConsoleOptions): Server =>
  createServer((request, response) => {
    request.on('error', () => {})
    response.on('error', () => {})
    answer(options, request, response).catch((error: unknown) => {
      if (response.destroyed) return
      // `undefined` for a mistake of ours.
      const fault = explainFault(error)
      options.warn(fault ?? `The console failed unexpectedly: ${error instanceof Error ? error.stack : String(error)}`)
      sendProblem(response, fault === undefined ? 'unexpected' : 'unavailable', fault ?? String(error))
    })
  })

const answer = async (options: ConsoleOptions, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { pathname, searchParams: query } = URL.parse(request.url ?? '/', 'http://console') ?? UNREADABLE
  const caller = { method: request.method ?? 'GET', headers: request.headers, query }
  const access = options.access()
  const foreign = foreignCall(access, caller)
  if (foreign !== undefined) return sendProblem(response, foreign, `Open http://${access.hosts[0]} yourself.`)
  if (pathname === undefined) return sendProblem(response, 'input', 'The address is not one.')
  if (pathname !== '/api' && !pathname.startsWith('/api/'))
    return sendPage(await options.page(), pathname, caller.method, response)
  if (!hasToken(access, caller))
    return sendProblem(response, 'token', 'Open the whole URL that was printed, with its token.')
  await answerApi(options, pathname, query, request, response)
}

const UNREADABLE = { pathname: undefined, searchParams: new URLSearchParams() }

const answerApi = async (
  { world, closing }: ConsoleOptions,
  pathname: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const found = findRoute(pathname)
  if (found === undefined) return sendProblem(response, 'not-found', `There is no ${pathname}.`)
  const answering = found.route[request.method as 'GET' | 'POST']
  if (answering === undefined) {
    response.setHeader('allow', Object.keys(found.route).join(', '))
    return sendProblem(response, 'method', `${pathname} takes ${Object.keys(found.route).join(' or ')}.`)
  }
  const left = new AbortController()
  response.on('close', () => left.abort())
  const gone = AbortSignal.any([left.signal, closing])
  const given = await answering({ world, request, query, named: found.named, gone })
  if (isProblem(given)) sendGiven(response, given as Problem)
  else if ('lines' in given) await sendLines(response, given.lines)
  else sendJson(response, given.json, given.status)
}

const sendPage = (page: Page, path: string, method: string, response: ServerResponse): void => {
  const [contentType, text] = fileAt(page, path) ?? []
  if (contentType === undefined || text === undefined) sendProblem(response, 'not-found', `There is no ${path}.`)
  else if (method !== 'GET' && method !== 'HEAD') sendProblem(response, 'method', 'The page is read with GET.')
  else send(response, 200, contentType, text)
}

const fileAt = ({ js, css, icon, html }: Page, path: string): readonly [string, string] | undefined => {
  if (path === '/app.js') return ['text/javascript; charset=utf-8', js]
  if (path === '/style.css') return ['text/css; charset=utf-8', css]
  if (path === '/icon.svg') return ['image/svg+xml', icon]
  return PLACES.test(path) ? ['text/html; charset=utf-8', html] : undefined
}

/** The addresses the page makes for itself: page/route.ts. */
const PLACES = new RegExp(`^/(?:(?:${viewNames.join('|')})(?:/[^/]*)?/?)?$`)
