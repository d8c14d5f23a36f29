import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { localhostChain } from '../support/make-certificate.ts'

/** What was posted to the service, one line of JSON each. */
export interface Posted {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An HTTPS service of the user's on this machine. `env` tells the app and the functions where it is, and to trust it. */
export const openService = async () => {
  const { key, cert, authority } = localhostChain()
  const directory = mkdtempSync(join(tmpdir(), 'hooklatch-service-'))
  const file = join(directory, 'posted.jsonl')
  const trusted = join(directory, 'authority.pem')
  writeFileSync(file, '')
  writeFileSync(trusted, authority)
  const server = createServer({ key, cert }, async (request, response) => {
    const body = await text(request)
    appendFileSync(file, `${JSON.stringify({ headers: request.headers, body })}\n`)
    response.writeHead(204).end()
  })
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  const url = `https://localhost:${(server.address() as AddressInfo).port}/hooks`
  return {
    file,
    env: { IT_SERVICE_URL: url, NODE_EXTRA_CA_CERTS: trusted },
    close: (): void => {
      server.closeAllConnections()
      server.close()
    },
  }
}
