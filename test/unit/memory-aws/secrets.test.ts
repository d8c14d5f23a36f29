import { describe, expect, it } from 'vitest'
import { memoryAws } from '../../../lib/memory-aws/memory-aws.ts'

const world = () => {
  const clock = { now: 5 }
  const { secrets } = memoryAws({ secrets: { signing: 'first', empty: undefined }, now: () => clock.now })
  /** A new version, made current in the place of whichever is. */
  const swap = (text: string): void => {
    const seen = secrets.getSecret('signing')?.version ?? ''
    secrets.makeSecretCurrent('signing', secrets.putPendingSecret('signing', text), seen)
  }
  return { clock, secrets, swap }
}

describe('secrets in memory', () => {
  it('a secret is read with its version and the time it was written', () => {
    const { clock, secrets, swap } = world()
    const first = secrets.getSecret('signing')
    expect(first).toMatchObject({ text: 'first', createdAt: 5 })
    clock.now = 9
    swap('second')
    const second = secrets.getSecret('signing')
    expect(second).toMatchObject({ text: 'second', createdAt: 9 })
    expect(second?.version).not.toBe(first?.version)
  })

  it('a secret without a value and one that does not exist cannot be read', () => {
    const { secrets } = world()
    for (const id of ['empty', 'nowhere']) {
      expect(() => secrets.getSecret(id)).toThrow(expect.objectContaining({ name: 'ResourceNotFoundException' }))
    }
    expect(() => secrets.putPendingSecret('nowhere', 'text')).toThrow('nowhere')
  })

  it('a pending version is not current until it is made so in the place of the one it was read after', () => {
    const { secrets } = world()
    const current = secrets.getSecret('signing')?.version ?? ''
    const pending = secrets.putPendingSecret('signing', 'second')
    expect(secrets.getSecret('signing')?.text).toBe('first')
    expect(secrets.makeSecretCurrent('signing', pending, current)).toBe('moved')
    expect(secrets.getSecret('signing')).toMatchObject({ text: 'second', version: pending })
  })

  it('a version is not made current in the place of one that is not current any more', () => {
    const { secrets, swap } = world()
    const seen = secrets.getSecret('signing')?.version ?? ''
    const pending = secrets.putPendingSecret('signing', 'mine')
    swap('theirs')
    expect(secrets.makeSecretCurrent('signing', pending, seen)).toBe('changed')
    expect(secrets.getSecret('signing')?.text).toBe('theirs')
  })

  it('a secret is neither empty nor longer than 64 KiB', () => {
    const { secrets } = world()
    for (const text of ['', 'x'.repeat(65_537)]) {
      expect(() => secrets.putPendingSecret('signing', text)).toThrow('1 to 65536 bytes')
    }
  })
})
