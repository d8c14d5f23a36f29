import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const SAMPLES = join(import.meta.dirname, '../../docs/samples')

/** A recipe registers its tests here when it is imported. */
const recipes = globSync('testing-*.ts', { cwd: SAMPLES }).filter(file => file !== 'testing-node.ts')

describe('the recipes of docs/testing.md', async () => {
  for (const recipe of recipes) await import(join(SAMPLES, recipe))

  it('the recipe for node:test runs under node --test, and leaves nothing running', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', join(SAMPLES, 'testing-node.ts')])
    expect(stdout).toMatch(/pass 1\n/)
  })
})
