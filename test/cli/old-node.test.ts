import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { OLD_NODE } from '../support/old-node.ts'

const ROOT = join(import.meta.dirname, '../..')
const SAID =
  /^Hooklatch needs Node 24 or newer, and yours is 20\.20\.2: this runs on node-\S+ \S+ \(SHA-256 checked\)\.\n$/

const directory = mkdtempSync(join(tmpdir(), 'hooklatch-old-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** A program of its own file, as the launcher takes it. */
const program = (name: string, code: string): string => {
  const file = join(directory, `${name}.mjs`)
  writeFileSync(file, code)
  return file
}

const node = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: ROOT })

const launched = (file: string) =>
  spawn(process.execPath, [...OLD_NODE, 'bin/node.js', file], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })

it('`npx hooklatch` on an old Node runs on the packaged one, and says so in one line', async () => {
  const { stdout, stderr } = await node(...OLD_NODE, 'bin/npx.js', 'providers', 'stripe')
  expect(stdout).toContain('Stripe')
  expect(stderr).toMatch(SAID)
})

it('`npx hooklatch` on a Node that is new enough says nothing', async () => {
  const { stdout, stderr } = await node('bin/npx.js', 'providers', 'stripe')
  expect(stdout).toContain('Stripe')
  expect(stderr).toBe('')
})

it('`npx vitest` on an old Node starts again on the packaged one', async () => {
  const { stdout, stderr } = await node(...OLD_NODE, 'node_modules/vitest/vitest.mjs', 'list', '--project', 'vectors')
  expect(stderr).toMatch(SAID)
  expect(stdout).toContain('[vectors]')
})

it('a Node that is new enough runs the program itself, in its own process', async () => {
  const file = program('here', 'process.stdout.write(JSON.stringify([process.pid, ...process.argv.slice(1)]))')
  const running = execFile(process.execPath, ['bin/node.js', file, 'a', '--b'], { cwd: ROOT })
  expect(await text(running.stdout as Readable)).toBe(JSON.stringify([running.pid, file, 'a', '--b']))
})

it('a program on the packaged Node gets its arguments, and what it starts as `node` is the packaged one too', async () => {
  const code = `import { execFileSync } from 'node:child_process'
    const { execPath } = process
    const called = execFileSync('node', ['-p', 'process.execPath'], { encoding: 'utf8' }).trim()
    process.stdout.write(JSON.stringify({ args: process.argv.slice(2), version: process.versions.node, execPath, called }))`
  const { stdout } = await node(...OLD_NODE, 'bin/node.js', program('there', code), 'a', '--b')
  const { args, version, execPath, called } = JSON.parse(stdout)
  expect(args).toEqual(['a', '--b'])
  expect(version).not.toBe('20.20.2')
  expect(execPath).toMatch(/node_modules[\\/]node-[^\\/]+[\\/]bin[\\/]node/)
  expect(called).toBe(execPath)
})

it('the launcher ends with the exit code of its program', async () => {
  const file = program('seven', 'process.exit(7)')
  await expect(node(...OLD_NODE, 'bin/node.js', file)).rejects.toMatchObject({ code: 7 })
})

it('a signal to the launcher reaches its program, and the launcher ends as the program does', async () => {
  const code = `process.once('SIGTERM', () => process.stdout.write('asked', () => process.exit(3)))
    setInterval(() => {}, 1e6)
    process.stdout.write('ready ')`
  const child = launched(program('asked', code))
  const said: string[] = []
  child.stdout.setEncoding('utf8').on('data', part => said.push(part))
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([3, null])
  expect(said.join('')).toBe('ready asked')
})

it('a program that a signal ended ends the launcher by the same signal', async () => {
  const child = launched(program('killed', "process.kill(process.pid, 'SIGKILL')"))
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
})
