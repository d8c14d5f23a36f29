import { describe, expect, test } from 'vitest'
import { httpsKeys } from '../../../functions/adapters/https-keys.ts'
import { millis } from '../../../functions/domain/brands.ts'

describe('downloads', () => {
  const URL = 'https://keys.example.com/'

  const opened = () => {
    const state = { at: 1_000_000, gets: 0, down: false }
    const keys = httpsKeys(
      () => millis(state.at),
      async url => {
        state.gets += 1
        if (state.down || url.includes('forged')) throw new Error('keys.example.com answered 404')
        return `text ${state.gets}`
      },
    )
    const fetch = async (source: string, url = URL, freshness?: 'again') => {
      const answer = await keys.fetch(source, url, freshness)
      return answer.kind === 'fetched' ? answer.text : answer.kind
    }
    return { state, keys, fetch }
  }

  test('published keys are remembered for an hour, and not repeated within a minute even when asked to', async () => {
    const { state, fetch } = opened()
    expect(await fetch('paypal')).toBe('text 1')
    expect(await fetch('paypal', URL, 'again')).toBe('text 1')
    state.at += 61_000
    expect(await fetch('paypal')).toBe('text 1')
    expect(await fetch('paypal', URL, 'again')).toBe('text 2')
    state.at += 3_600_000
    expect(await fetch('paypal')).toBe('text 3')
  })

  test('no more than 20 new keys are downloaded in a minute for one source, whatever is invented', async () => {
    const { state, fetch } = opened()
    for (let url = 0; url < 100; url++) await fetch('paypal', `${URL}${url}`)
    expect(state.gets).toBe(20)
    expect(await fetch('paypal', `${URL}99`)).toBe('unavailable')
    state.at += 60_000
    expect(await fetch('paypal', `${URL}99`)).toBe('text 21')
  })

  test('URLs that strangers invent for one source leave every other source its own downloads', async () => {
    const { fetch } = opened()
    for (let url = 0; url < 100; url++) await fetch('paypal', `${URL}forged-${url}`)
    expect(await fetch('google')).toMatch(/^text/)
    expect(await fetch('paypal-of-another-shop')).toMatch(/^text/)
  })

  test('URLs that strangers invent do not stop a key that is known, nor its renewal', async () => {
    const { state, fetch } = opened()
    expect(await fetch('paypal')).toBe('text 1')
    state.at += 3_600_000
    for (let url = 0; url < 100; url++) await fetch('paypal', `${URL}forged-${url}`)
    expect(await fetch('paypal')).toBe('text 22')
  })

  test('the key of a host that is away is used for a day, and no longer', async () => {
    const { state, fetch } = opened()
    expect(await fetch('paypal')).toBe('text 1')
    state.down = true
    state.at += 24 * 3_600_000 - 1
    expect(await fetch('paypal')).toBe('text 1')
    state.at += 1
    expect(await fetch('paypal')).toBe('unavailable')
  })

  test('a key that is not known, of a host that is away, is unavailable and not refused', async () => {
    const { state, fetch } = opened()
    await fetch('google')
    state.down = true
    state.at += 61_000
    expect(await fetch('google', URL, 'again')).toBe('unavailable')
  })

  test('a download that failed is tried again after five seconds, and many at once make one', async () => {
    const { state, fetch } = opened()
    state.down = true
    expect(await Promise.all(Array.from({ length: 50 }, () => fetch('google')))).toEqual(Array(50).fill('unavailable'))
    expect(state.gets).toBe(1)
    state.down = false
    state.at += 4_999
    expect(await fetch('google')).toBe('unavailable')
    state.at += 1
    expect(await fetch('google')).toBe('text 2')
  })

  test('the newest 16 keys of a source are remembered', async () => {
    const { state, fetch } = opened()
    for (let url = 0; url < 17; url++) await fetch('paypal', `${URL}${url}`)
    state.at += 60_000
    expect(await fetch('paypal', `${URL}1`)).toBe('text 2')
    expect(await fetch('paypal', `${URL}0`)).toBe('text 18')
  })

  test('a download that fails is unavailable, not thrown', async () => {
    const { state, keys } = opened()
    state.down = true
    expect(await keys.fetch('paypal', URL)).toEqual({
      kind: 'unavailable',
      cause: 'Error: keys.example.com answered 404',
    })
  })
})
