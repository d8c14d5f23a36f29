import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { scriptedAws } from '../../support/scripted-aws.ts'

const server = await scriptedAws()
afterAll(server.stop)

const bytes = new Uint8Array(randomBytes(20_000))
const metadata = { compressed: 'true', 'expires-at': '1763208000' }
const NO_OBJECT = { 'content-type': 'application/octet-stream' }

const fault = (status: number, code: string) => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>no</Message></Error>`,
})

describe.each(server.clients)('$name client', ({ name, aws: { objects } }) => {
  it(`an object is written by the ${name} client with its metadata, only if there is none`, async () => {
    server.script({ headers: NO_OBJECT, body: '' })
    expect(await objects.putNew('bodies', "7d/f f/it's", { bytes, metadata })).toBe('written')
    const [put] = server.asked
    expect([put?.operation, put?.path]).toEqual(['PUT', '/bodies/7d/f%20f/it%27s'])
    expect(put?.headers).toMatchObject({
      'if-none-match': '*',
      'x-amz-meta-compressed': 'true',
      'x-amz-meta-expires-at': '1763208000',
    })
    expect(put?.body.equals(bytes)).toBe(true)
  })

  it(`an object that is there already is no outage, and stays, for the ${name} client`, async () => {
    server.script(fault(412, 'PreconditionFailed'))
    expect(await objects.putNew('bodies', 'key', { bytes, metadata })).toBe('exists')
    expect(server.asked.map(({ operation }) => operation)).toEqual(['PUT'])
  })

  it(`an object that the ${name} client wrote without an answer is there when it tries again`, async () => {
    server.script(fault(500, 'InternalError'), fault(412, 'PreconditionFailed'))
    expect(await objects.putNew('bodies', 'key', { bytes, metadata })).toBe('exists')
    expect(server.asked).toHaveLength(2)
  })

  it(`an object that somebody else writes at the same moment is written again by the ${name} client`, async () => {
    server.script(fault(409, 'ConditionalRequestConflict'), fault(412, 'PreconditionFailed'))
    expect(await objects.putNew('bodies', 'key', { bytes, metadata })).toBe('exists')
    server.script(fault(409, 'ConditionalRequestConflict'), { headers: NO_OBJECT, body: '' })
    expect(await objects.putNew('bodies', 'key', { bytes, metadata })).toBe('written')
    expect(server.asked.map(({ body }) => body.equals(bytes))).toEqual([true, true])
  })

  it(`an object that others write again and again is given up by the ${name} client after three attempts`, async () => {
    server.script(fault(409, 'ConditionalRequestConflict'))
    const put = objects.putNew('bodies', 'key', { bytes, metadata })
    await expect(put).rejects.toMatchObject({ name: 'ConditionalRequestConflict' })
    expect(server.asked).toHaveLength(3)
  })

  it(`an object is read by the ${name} client with its metadata`, async () => {
    const headers = { ...NO_OBJECT, 'x-amz-meta-compressed': 'true', 'x-amz-meta-expires-at': '1763208000' }
    server.script({ headers, body: bytes })
    const found = await objects.get('bodies', '7d/f/s')
    expect(server.asked.map(({ operation, path }) => [operation, path])).toEqual([['GET', '/bodies/7d/f/s']])
    expect(found?.metadata).toEqual(metadata)
    expect(Buffer.from(found?.bytes ?? []).equals(bytes)).toBe(true)
  })

  it(`an object that is not there is none for the ${name} client`, async () => {
    server.script(fault(404, 'NoSuchKey'))
    expect(await objects.get('bodies', 'key')).toBeUndefined()
  })

  it.each([
    ['putNew', () => objects.putNew('bodies', 'key', { bytes, metadata })],
    ['get', () => objects.get('bodies', 'key')],
  ])(`any other fault of %s is thrown by the ${name} client under its own name`, async (_, call) => {
    server.script(fault(404, 'NoSuchBucket'))
    await expect(call()).rejects.toMatchObject({ name: 'NoSuchBucket' })
    server.script(fault(403, 'AccessDenied'))
    await expect(call()).rejects.toMatchObject({ name: 'AccessDenied' })
    expect(server.asked).toHaveLength(1)
  })
})
