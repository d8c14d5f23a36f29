import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pickNode } from './pick-node.js'

// Plain JavaScript, because it is the one part of us that has to run on a Node that is too old for the rest.

/**
 * Runs a program of ours: right here if the user's Node is new enough, else in a process of the packaged one.
 *
 * @param {string} file
 * @param {readonly string[]} args
 */
export const launch = async (file, args) => {
  const packaged = packagedIfNeeded()
  if (packaged) return runOn(packaged, [file, ...args])
  process.argv.splice(1, process.argv.length, resolve(file), ...args)
  await import(pathToFileURL(resolve(file)).href)
}

/** For a program that somebody else started (`npx vitest`): goes on if the Node is new enough, else starts it again. */
export const relaunch = async () => {
  const packaged = packagedIfNeeded()
  if (packaged) await runOn(packaged, process.argv.slice(1))
}

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/** How often npm's shell is looked for, see below. */
const LOOK_EVERY_MS = 100

const packagedIfNeeded = () => {
  const manifest = createRequire(import.meta.url).resolve('hooklatch/package.json')
  // The tarball has `engines`; in the repository they would make npm warn at each `npx hooklatch`.
  const { engines, devEngines } = JSON.parse(readFileSync(manifest, 'utf8'))
  const picked = pickNode({
    version: process.versions.node,
    needed: engines?.node ?? devEngines.runtime.version,
    platform: `${process.platform}-${process.arch}`,
    pins: JSON.parse(readFileSync(new URL('packaged-node.json', import.meta.url), 'utf8')),
    modules: join(dirname(manifest), 'node_modules'),
  })
  if (picked === 'own') return undefined
  process.stderr.write(`${'says' in picked ? picked.says : picked.refusal}\n`)
  return 'packaged' in picked ? picked.packaged : process.exit(1)
}

/**
 * Ends as the child ends. What the child starts by the name `node` is the same one.
 *
 * @param {string} node
 * @param {readonly string[]} args
 * @returns {Promise<never>}
 */
const runOn = (node, args) =>
  new Promise(() => {
    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
    const child = spawn(node, args, { stdio: 'inherit', env })
    for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
    const parent = process.ppid
    // A signal to npm alone ends the shell between npm and us, which does not pass it on.
    const shellIsGone = () => process.env.npm_lifecycle_event !== undefined && process.ppid !== parent
    setInterval(() => shellIsGone() && child.kill('SIGTERM'), LOOK_EVERY_MS).unref()
    child.once('exit', (code, signal) => {
      for (const each of SIGNALS) process.removeAllListeners(each)
      if (signal) process.kill(process.pid, signal)
      else process.exit(code ?? 1)
    })
  })
