import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bundle, bundle } from '../../bench/bundle.ts'

const directory = mkdtempSync(join(tmpdir(), 'hooklatch-bundle-'))
const receive = { name: 'receive', directory, entry: 'functions/receive/handler.ts', awaitsAtStart: true }
let lean: Bundle
beforeAll(async () => {
  lean = await bundle(receive)
})
afterAll(() => rmSync(directory, { recursive: true }))

describe('the bundle of the receive function', () => {
  it('holds no part of the AWS SDK', () => {
    expect(Object.keys(lean.parts).filter(part => /^@(aws|smithy)/.test(part))).toEqual([])
  })

  it('is our own code, middy and the sources, and no more than 80 KB of it', () => {
    expect(Object.keys(lean.parts).filter(part => !part.startsWith('functions/'))).toEqual(
      expect.arrayContaining(['sources', '@middy/core']),
    )
    expect(lean.bytes).toBeLessThan(80_000)
  })

  it('holds the SDK when the construct asks for it', async () => {
    const { parts } = await bundle({ ...receive, name: 'sdk', client: 'sdk' })
    expect(Object.keys(parts)).toContain('@aws-sdk/client-dynamodb')
  })
})
