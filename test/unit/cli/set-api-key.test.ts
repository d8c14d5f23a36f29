import { describe, expect, it } from 'vitest'
import { resolveSources } from '../../../functions/providers/sources.ts'
import { setApiKey } from '../../../lib/cli/steps/set-api-key.ts'
import type { Connection } from '../../../lib/connect/connection.ts'
import type { Terminal } from '../../../lib/terminal/terminal.ts'

const sources = resolveSources({ stripe: { provider: 'stripe' } })

describe('secrets set --api-key on a stack', () => {
  it('a stack that keeps no key for the source refuses before it asks for one', async () => {
    const said: string[] = []
    const terminal: Terminal = {
      out: text => said.push([text].flat().join('\n')),
      err: text => said.push([text].flat().join('\n')),
      style: (_, text) => text,
      // Asking would wait for a person.
      interactive: true,
      closed: new AbortController().signal,
    }
    const connection = { kind: 'aws', apiKeySetter: () => undefined } as unknown as Connection
    const given = { connection, sources, name: 'stripe', json: false, yes: false, show: false, span: '10m' }
    const answer = await setApiKey({ ...given, fingerprint: undefined, apiKey: true }, terminal)
    expect(answer).toMatchObject({ refused: expect.stringContaining('HOOKLATCH_API_KEY') })
    expect(said).toEqual([])
  })
})
