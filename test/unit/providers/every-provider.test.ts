import { describe, expect, test } from 'vitest'
import { isSigned, needsSecret, type SignatureField } from '../../../functions/domain/scheme.ts'
import { coverageOf } from '../../../functions/providers/coverage.ts'
import { everyProvider, NOW, otherSecret, type Played, proofHeader } from './every-provider.ts'
import { judged, type Request } from './rig.ts'

const proving = everyProvider.filter(({ scheme }) => scheme.kind !== 'none')
const verdict = ({ source, secret }: Played, request: Request, at = NOW) => judged(source, request, secret, at)

const covers = ({ scheme }: Played): boolean => coverageOf(scheme).body === 'bytes'

const OUTAGES = ['secret-missing', 'secret-unusable', 'secret-store', 'key-source']

describe.each(proving)('$name', played => {
  const { scheme, source, secret } = played

  test(`a signed sample of ${played.name} is genuine`, async () => {
    expect(await verdict(played, played.send())).toBe('genuine')
  })

  test(`a delivery of ${played.name} signed with another secret is refused`, async () => {
    expect(await judged(source, played.send(), otherSecret(played), NOW)).toBe('signature-mismatch')
  })

  test(`a delivery of ${played.name} signed with the previous secret is genuine after a rotation`, async () => {
    expect(await judged(source, played.send(), [otherSecret(played), secret], NOW)).toBe('genuine')
  })

  test(`a delivery of ${played.name} is not believed without a secret, and the caller is not blamed`, async () => {
    if (needsSecret(scheme)) expect(await judged(source, played.send(), [], NOW)).toBe('secret-missing')
    else expect(await judged(source, played.send(), [], NOW)).toBe('key-source')
  })

  test(`a delivery of ${played.name} without any of its headers is refused`, async () => {
    const { body } = played.send()
    if (proofHeader(scheme) !== undefined) expect(await verdict(played, { headers: {}, body })).toMatch(/missing$/)
  })

  test(`a delivery of ${played.name} that is no text, no JSON and no form is refused, and nothing throws`, async () => {
    for (const body of [
      Uint8Array.of(0xff, 0xfe, 0),
      Uint8Array.of(),
      Uint8Array.from('{"a":', c => c.charCodeAt(0)),
    ]) {
      const { headers, url } = played.send()
      const reason = await verdict(played, { headers, url, body })
      expect(OUTAGES).not.toContain(reason)
      if (covers(played)) expect(reason).not.toBe('genuine')
    }
  })
})

const inHeader = proving.flatMap(played => {
  const header = proofHeader(played.scheme)
  return header === undefined ? [] : [{ ...played, played, header }]
})

/** `v1=a,v1=b`: two signatures are a list of two, which such a sender sends while a secret is rotated. */
const isListOf = (sig: SignatureField, seam: string): boolean =>
  sig.many === true && sig.layout === 'kv' && sig.pairSep === seam

describe.each(inHeader)('$name, whose proof is in the header $header', ({ played, header, scheme }) => {
  const request = played.send()
  const proof = request.headers[header] ?? ''
  const withProof = (value: string | readonly string[]) =>
    verdict(played, { ...request, headers: { ...request.headers, [header]: value } })

  test(`a proof of ${played.name} that is missing, empty or repeated is refused`, async () => {
    const { [header]: _, ...others } = request.headers
    expect(await verdict(played, { ...request, headers: others })).toBe('header-missing')
    expect(await withProof('')).toBe('header-missing')
    expect(await withProof([proof, proof])).toBe('header-repeated')
  })

  test(`two right proofs of ${played.name} joined as an HTTP API does are refused, unless the sender joins its own so`, async () => {
    for (const seam of [',', ', ']) {
      const own = scheme.kind === 'code' ? scheme.code.file === 'plivo' : isSigned(scheme) && isListOf(scheme.sig, seam)
      if (!own) expect(await withProof(proof + seam + proof), seam).not.toBe('genuine')
    }
  })

  test(`a proof of ${played.name} that is garbled, truncated, padded or spaced is refused`, async () => {
    const garbled = ['garbage', '=', ',', ' ', '\u0000', 'é'.repeat(64), '{}', 'null', 'a'.repeat(8192), '..', 'a.b.c']
    const near = [proof.slice(0, -2), proof.slice(1), `${proof}0`, `${proof}=`, `${proof} `, ` ${proof}`, `${proof}\n`]
    for (const value of [...garbled, ...near]) {
      const reason = await withProof(value)
      expect(reason, value).not.toBe('genuine')
      expect(OUTAGES, value).not.toContain(reason)
    }
  })

  test(`a proof of ${played.name} in the other case or the other base64 alphabet is refused`, async () => {
    const others = [proof.toUpperCase(), proof.toLowerCase(), proof.replaceAll('+', '-').replaceAll('/', '_')]
    for (const value of others.filter(each => each !== proof)) expect(await withProof(value), value).not.toBe('genuine')
  })

  test(`a downgraded proof of ${played.name} is refused`, async () => {
    const bare = proof.replace(/^[\w-]+=/, '')
    for (const value of [`sha1=${bare}`, `v0=${bare}`, `md5=${bare}`, `v0,${bare}`, `none ${bare}`]) {
      if (value !== proof) expect(await withProof(value), value).not.toBe('genuine')
    }
  })

  // The word Basic has no case, and eBay does not sign the name of its key.
  test(`a proof of ${played.name} with a single changed character is refused`, async () => {
    const from =
      scheme.kind === 'basic' ? 'Basic '.length : scheme.kind === 'code' && scheme.code.file === 'ebay' ? 60 : 0
    for (let at = from; at < proof.length; at++) {
      const changed = proof.slice(0, at) + (proof[at] === 'A' ? 'B' : 'A') + proof.slice(at + 1)
      expect(await withProof(changed), `character ${at}`).not.toBe('genuine')
    }
  })
})

describe.each(proving.filter(covers))('$name covers its body', played => {
  test('one flipped bit anywhere is refused', async () => {
    const request = played.send()
    for (const at of request.body.keys()) {
      const body = Uint8Array.from(request.body, (byte, index) => (index === at ? byte ^ 1 : byte))
      expect(await verdict(played, { ...request, body }), `byte ${at}`).not.toBe('genuine')
    }
  })

  test('an emptied or extended body is refused', async () => {
    const request = played.send()
    const text = Buffer.from(request.body).toString('utf8')
    for (const body of ['', `${text}\n`, `\ufeff${text}`, ` ${text}`])
      expect(await verdict(played, { ...request, body })).not.toBe('genuine')
  })

  test('the same JSON written differently is refused', async () => {
    const request = played.send()
    if (request.body[0] !== 0x7b) return
    const body = JSON.stringify(JSON.parse(Buffer.from(request.body).toString('utf8')), null, 2)
    expect(await verdict(played, { ...request, body })).not.toBe('genuine')
  })
})

const timed = proving.flatMap(played => {
  const { scheme } = played
  const tolerance =
    'ts' in scheme ? scheme.ts?.toleranceSeconds : 'toleranceSeconds' in scheme ? scheme.toleranceSeconds : undefined
  return tolerance === undefined ? [] : [{ ...played, played, tolerance }]
})

describe.each(timed)('$name signs its time, and $tolerance s are tolerated', ({ played, tolerance, scheme }) => {
  const request = played.send()

  test(`the time of ${played.name} is tolerated to the second, in both directions`, async () => {
    // A token of ours ends after an hour, whatever its tolerance.
    const old = scheme.kind === 'jwt' && scheme.covers !== 'detached' ? Math.min(tolerance, 3600) : tolerance
    expect(await verdict(played, request, NOW + old)).toBe('genuine')
    expect(await verdict(played, request, NOW + tolerance + 61)).toBe('timestamp-stale')
    expect(await verdict(played, request, NOW - tolerance)).toBe('genuine')
    expect(await verdict(played, request, NOW - tolerance - 1)).toBe('timestamp-future')
    expect(await verdict(played, request, NOW - 315_360_000)).toBe('timestamp-future')
  })

  test(`another timestamp under the same signature of ${played.name} is refused`, async () => {
    const headers = Object.entries(request.headers).filter(([, value]) =>
      /^\d{10}(?:\d{3})?$|^\d{4}-\d\d-\d\dT/.test(value),
    )
    for (const [name] of headers) {
      for (const value of ['', 'soon', '-1', '1760000000.5', '1760000001', '99999999999999999999', 'NaN', '0x68e7']) {
        const reason = await verdict(played, { ...request, headers: { ...request.headers, [name]: value } })
        if (!/^x-atlassian|transmission-id/.test(name)) expect(reason, `${name}: ${value}`).not.toBe('genuine')
      }
    }
  })
})
