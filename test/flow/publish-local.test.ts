import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endLocals, hooklatch, type RunningLocal, startLocal, until, workplace } from '../support/local-rig.ts'

const directory = workplace()
let local: RunningLocal
beforeAll(async () => {
  local = await startLocal(directory)
})
afterAll(endLocals)

const ORDER = '{"orderId":"o-1","type":"order.created","unknown":[1,2]}'

/** As in the documentation: curl signs, and nobody checks it here. */
const curl = async (user: string, path: string, ...more: string[]) => {
  const args = [
    '-s',
    '-i',
    '--aws-sigv4',
    'aws:amz:us-east-1:execute-api',
    '--user',
    `${user}:x`,
    `${local.url}${path}`,
    ...more,
  ]
  const { stdout } = await promisify(execFile)('curl', args)
  const [head = '', body = ''] = stdout.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: JSON.parse(body) }
}

describe('publishing on a laptop', () => {
  it('an event published on a laptop is like any other: accepted, handled, listed and shown, and replayed to its caller', async () => {
    const first = await curl('alice', '/publish/orders', '-H', 'Idempotency-Key: o-1', '-d', ORDER)
    expect(first).toMatchObject({ status: 202, body: { status: 'accepted' } })
    const second = await curl('alice', '/publish/orders', '-H', 'Idempotency-Key: "o-1"', '-d', ORDER)
    expect(second).toMatchObject({
      status: 202,
      body: first.body,
      head: expect.stringContaining('idempotent-replayed: true'),
    })
    const bob = await curl('bob', '/publish/orders', '-H', 'Idempotency-Key: o-1', '-d', ORDER)
    expect(bob.status).toBe(202)
    expect(bob.body.id).not.toBe(first.body.id)
    await until('both to be done', async () => {
      const { out } = await hooklatch(directory, 'events', '--source', 'orders', '--json')
      return out.split('\n').filter(line => line.includes('"done"')).length === 2
    })
    const { out } = await hooklatch(directory, 'show', first.body.id)
    expect(out).toContain('order.created')
  })

  it('one of two hundred publishers with the same key is accepted on a laptop', async () => {
    const { Authorization } = {
      Authorization:
        'AWS4-HMAC-SHA256 Credential=carol/20261116/us-east-1/execute-api/aws4_request, SignedHeaders=host, Signature=0',
    }
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        fetch(`${local.url}/publish/orders`, {
          method: 'POST',
          headers: { Authorization, 'Idempotency-Key': 'one' },
          body: ORDER,
        }),
      ),
    )
    const fresh = answers.filter(({ status, headers }) => status === 202 && !headers.has('idempotent-replayed'))
    const rest = answers.filter(
      ({ status, headers }) => status === 409 || headers.get('idempotent-replayed') === 'true',
    )
    expect([fresh.length, rest.length]).toEqual([1, 199])
  })

  it('a publisher without a signature is refused on a laptop, as API Gateway does it', async () => {
    const answer = await fetch(`${local.url}/publish/orders`, {
      method: 'POST',
      headers: { 'idempotency-key': 'k' },
      body: ORDER,
    })
    expect([answer.status, await answer.json()]).toEqual([403, { message: 'Forbidden' }])
  })

  it('hooklatch publish publishes an event and says what became of it', async () => {
    const first = await hooklatch(directory, 'publish', 'orders', '--key', 'from-cli', '--data', ORDER, '--json')
    expect(first).toMatchObject({ code: 0 })
    expect(JSON.parse(first.out)).toMatchObject({ key: 'from-cli', status: 202, replayed: false })
    const second = await hooklatch(directory, 'publish', 'orders', '--key', 'from-cli', '--data', ORDER)
    expect(second).toMatchObject({ code: 0, out: expect.stringContaining('(replayed)') })
    const reused = await hooklatch(directory, 'publish', 'orders', '--key', 'from-cli', '--data', '{}')
    expect(reused).toMatchObject({ code: 1, out: expect.stringContaining('key-reused') })
  })

  it('hooklatch publish says which source it takes, before it publishes', async () => {
    expect(await hooklatch(directory, 'publish', 'stripe')).toMatchObject({
      code: 2,
      err: expect.stringContaining('not internal: use npx hooklatch send stripe'),
    })
    expect(await hooklatch(directory, 'publish', 'order')).toMatchObject({
      code: 1,
      err: expect.stringContaining('did you mean "orders"?'),
    })
  })

  it.each([
    [['--data', '{'], 'it is not JSON'],
    [['--data', '@nowhere.json'], 'nowhere.json'],
    [['--key', 'a b'], '--key cannot be used'],
    [['--url', 'nowhere'], 'is not a URL'],
    [['--url', 'https://example.com/publish/orders'], 'does not name a region'],
  ])('hooklatch publish tells what is wrong with %j', async (flags, sentence) => {
    const { code, err } = await hooklatch(directory, 'publish', 'orders', ...flags)
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)])
  })

  it('an internal source has its own address in the banner, and no sample to send', async () => {
    expect(local.out()).toContain(`POST ${local.url}/publish/orders`)
    expect(await hooklatch(directory, 'send', 'orders')).toMatchObject({
      code: 2,
      err: expect.stringContaining('npx hooklatch publish orders'),
    })
  })
})
