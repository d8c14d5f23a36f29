import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** As much of Secrets Manager as the functions ask for. */
export const startSecretServer = async (
  secrets: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; stop(): void }> => {
  const server = createServer((request, response) => {
    void json(request).then(asked => {
      const { SecretId } = asked as { SecretId: string }
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' })
      response.end(JSON.stringify({ Name: SecretId, SecretString: secrets[SecretId] }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
