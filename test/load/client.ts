import { Agent, request } from 'node:http'

export interface Delivery {
  readonly source: string
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What the sender saw. `none`: no answer, so that nobody knows. */
export interface Answer {
  readonly status: number | 'none'
  readonly said: { readonly status?: string; readonly id?: string; readonly type?: string }
  readonly milliseconds: number
}

export interface Client {
  post(delivery: Delivery): Promise<Answer>
  close(): void
}

/** Keep-alive connections to one receiver, at most so many. */
export const client = (url: string, connections: number): Client => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' })
  return {
    post: delivery => post(url, agent, delivery),
    close: () => agent.destroy(),
  }
}

const GIVE_UP_MS = 60_000

const post = (url: string, agent: Agent, { source, method = 'POST', headers, body }: Delivery): Promise<Answer> =>
  new Promise(resolve => {
    let started = performance.now()
    const end = (status: Answer['status'], text: string): void =>
      resolve({ status, said: parse(text), milliseconds: performance.now() - started })
    const sending = request(`${url}/webhooks/${source}`, {
      method,
      agent,
      headers: { ...headers, 'content-length': String(body.length) },
      timeout: GIVE_UP_MS,
    })
    // Waiting for a free connection is the sender's own time, not the receiver's.
    sending.on('socket', () => {
      started = performance.now()
    })
    sending.on('response', response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => end(response.statusCode ?? 'none', text))
      response.on('error', () => end('none', ''))
    })
    sending.on('timeout', () => sending.destroy())
    sending.on('error', () => end('none', ''))
    sending.end(body)
  })

const parse = (text: string): Answer['said'] => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
