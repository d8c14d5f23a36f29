import type { Played } from '../unit/providers/every-provider.ts'
import type { Captured, Change } from './change.ts'
import { disguises } from './change-json.ts'

/**
 * A covered field that a sender may leave out, put back as something that has no text. Of a second captured delivery, signed
 * without that field; whether it is believed as it is says whether the field may be left out.
 */
export const leftOutChanges = (
  { request, coverage }: Captured,
  played: Played,
): readonly { readonly without: Change; readonly changes: readonly Change[] }[] =>
  coverage.fields
    .filter(selector => selector.startsWith('json:'))
    .flatMap(selector => {
      const path = selector.slice('json:'.length).replaceAll('*', '0')
      const body = without(JSON.parse(Buffer.from(request.body).toString('utf8')), path.split('.'))
      const signed = signedAgain(played, Buffer.from(JSON.stringify(body)), request.url)
      if (signed === undefined) return []
      const json: unknown = JSON.parse(Buffer.from(signed.body).toString('utf8'))
      const change = (name: string, changed: unknown): Change => ({
        name: `json: ${name}, which was left out`,
        part: 'body',
        request: { ...signed, body: JSON.stringify(changed) },
        refused: true,
      })
      return {
        without: { ...change(path, json), refused: false },
        changes: disguises(json, path).map(([name, changed]) => change(name, changed)),
      }
    })

/** Undefined if its sender cannot sign that. */
const signedAgain = (played: Played, body: Uint8Array, url: string) => {
  try {
    return played.send({ body, url })
  } catch {
    return undefined
  }
}

const without = (json: unknown, [name = '', ...deeper]: readonly string[]): unknown => {
  const fields = json as Record<string, unknown>
  if (deeper.length > 0) without(fields[name] ?? {}, deeper)
  else delete fields[name]
  return json
}
