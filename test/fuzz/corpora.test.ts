import { describe, expect, it } from 'vitest'
import { plain, signedAttempt } from './attempt.ts'
import { GITHUB_EXAMPLES, JSON_TEXTS, NAUGHTY_STRINGS, STRUCTURED_FIELDS } from './corpora.ts'
import { honest } from './deliveries.ts'
import { lawful } from './laws.ts'
import { fuzzRig } from './rig.ts'
import { PROOF_HEADERS, secretOf, sourceNamed, TARGET_NAMES, type TargetName } from './targets.ts'

const on = fuzzRig()
const send = async (attempt: Parameters<ReturnType<typeof on.receiver>['deliver']>[0]) =>
  lawful(await on.receiver().deliver(attempt))

const signed = (name: TargetName, body: string | Uint8Array) => {
  const { headers } = honest(name, { id: 'corpus' })
  const unsigned = Object.fromEntries(headers.filter(([header]) => !PROOF_HEADERS.has(header)))
  return signedAttempt(sourceNamed(name), { secret: secretOf(name), body: Buffer.from(body), headers: unsigned })
}

describe.each(TARGET_NAMES)('corpora sent to %s', name => {
  it(`${name} takes every signed text of the JSON test suite, or says that it identifies no event`, async () => {
    for (const { input } of JSON_TEXTS) {
      const { status } = await send(signed(name, input))
      const empty = sourceNamed(name).provider.emptyBody ? 202 : 400
      expect(input === '' ? [empty] : [202, 400]).toContain(status)
    }
  })

  it(`${name} refuses every unsigned text of the JSON test suite`, async () => {
    for (const { input } of JSON_TEXTS) expect((await send(plain(name, Buffer.from(input), []))).status).toBe(401)
  })

  it(`${name} takes a signed body with naughty strings in a field that nobody reads`, async () => {
    for (const text of NAUGHTY_STRINGS) {
      const { status } = await send(honest(name, { id: 'naughty', extra: JSON.stringify(text) }))
      expect(status).toBe(202)
    }
  })

  it(`${name} refuses naughty strings and structured fields as signatures`, async () => {
    const [proof = ''] = sourceNamed(name).scheme.kind === 'none' ? [] : proofOf(name)
    for (const text of [...NAUGHTY_STRINGS, ...STRUCTURED_FIELDS]) {
      expect((await send(plain(name, Buffer.from('{}'), [[proof, text]]))).status).toBe(401)
    }
  })
})

const proofOf = (name: TargetName): string[] =>
  honest(name, { id: 'x' }).headers.flatMap(([header]) => (PROOF_HEADERS.has(header) ? [header] : []))

describe('JSON inside a Stripe event', () => {
  const inside = (input: string) => `{"x":${input},"id":"evt_1"}`

  it.each(JSON_TEXTS.filter(({ name }) => name.startsWith('y_')))(
    'a Stripe event is taken with the valid JSON $name beside its id',
    async ({ input }) => {
      // A byte order mark is allowed before a text, not inside one.
      expect((await send(signed('stripe', inside(input.replace(/^\ufeff/, ''))))).status).toBe(202)
    },
  )

  it.each(JSON_TEXTS.filter(({ name, input }) => name.startsWith('n_') && !completedByItsFrame(input)))(
    'a Stripe event is refused with the broken JSON $name beside its id',
    async ({ input }) => {
      expect((await send(signed('stripe', inside(input)))).status).toBe(400)
    },
  )
})

/** Broken only because it stands alone: within the frame, these few are JSON. */
const completedByItsFrame = (input: string): boolean => {
  try {
    JSON.parse(`{"x":${input},"id":1}`)
    return true
  } catch {
    return false
  }
}

describe('GitHub', () => {
  it.each(GITHUB_EXAMPLES)(
    'every GitHub example of $name is accepted, and refused with one byte changed',
    async ({ examples }) => {
      for (const example of examples) {
        const body = Buffer.from(JSON.stringify(example))
        const attempt = signed('github', body)
        expect((await send(attempt)).status).toBe(202)
        const tampered = Buffer.from(body)
        tampered[body.length >> 1] = (tampered[body.length >> 1] ?? 0) ^ 1
        expect((await send({ ...attempt, body: tampered })).status).toBe(401)
      }
    },
  )
})
