import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from 'aws-lambda'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { prime } from '../../../functions/shell/prime.ts'
import { bundle } from '../../bench/bundle.ts'
import { delivery, SECRET, SOURCE } from '../../bench/deliveries.ts'
import { environment } from '../../bench/environment.ts'
import { type Stub, startStub } from '../../bench/stub.ts'

describe('getting ready', () => {
  it('getting ready waits for everything, and ignores faults', async () => {
    const done: string[] = []
    const slow = new Promise<void>(resolve => setTimeout(resolve, 5)).then(() => void done.push('slow'))
    await prime(slow, Promise.reject(new Error('no secret store')))
    expect(done).toEqual(['slow'])
  })

  it('getting ready gives up after three seconds, so the first delivery is not kept waiting', async () => {
    await prime(new Promise(() => {}))
  })
})

describe('a receive function that has started', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hooklatch-prime-'))
  let stub: Stub
  beforeAll(async () => {
    stub = await startStub()
    for (const [name, value] of Object.entries(environment(stub.plain))) vi.stubEnv(name, value)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await stub.stop()
    rmSync(directory, { recursive: true })
  })

  it('a started receive function has its secrets and connections: the first delivery opens and looks up nothing', async () => {
    const sources = { [SOURCE]: { provider: 'shopify', retain: 'none' } } as const
    const entry = 'functions/receive/handler.ts'
    const { file } = await bundle({ name: 'receive', directory, entry, awaitsAtStart: true, sources })
    const { handler } = await import(file)
    const opened = stub.connections()
    stub.take()
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const answer = await handler(delivery('evt_1', 1_000, SECRET, Date.now()), {
      getRemainingTimeInMillis: () => 10_000,
    } as Context)
    vi.restoreAllMocks()
    expect(answer.statusCode).toBe(202)
    expect(stub.take().map(({ operation }) => operation)).toEqual(['PutItem', 'SendMessage', 'UpdateItem'])
    expect(stub.connections()).toBe(opened)
  })
})
