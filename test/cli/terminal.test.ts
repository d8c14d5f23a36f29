import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import {
  endLocals,
  hooklatch,
  hooklatchWith,
  instanceIn,
  type RunningLocal,
  startLocal,
  workplace,
} from '../support/local-rig.ts'
import { stripeHeader } from '../support/receive-rig.ts'
import { hooklatchFed } from './fed.ts'
import { hasTerminal, inTerminal, NO_TERMINAL } from './in-terminal.ts'

let directory: string
let local: RunningLocal

beforeAll(async () => {
  directory = workplace()
  local = await startLocal(directory, [], 'npm')
  await hooklatch(directory, 'send', 'stripe', '--id', `evt_${'long'.repeat(20)}`)
})
afterAll(endLocals)

let count = 0
const delivered = async (secret: string): Promise<number> => {
  const body = JSON.stringify({ id: `evt_${++count}`, type: 'invoice.paid' })
  const headers = { 'content-type': 'application/json', 'stripe-signature': stripeHeader(body, secret, Date.now()) }
  return (await fetch(`${local.url}/webhooks/stripe`, { method: 'POST', body, headers })).status
}

const ESCAPE = '\u001b['

if (!hasTerminal) process.stderr.write(`Not tested: ${NO_TERMINAL}.\n`)

describe.runIf(hasTerminal)('in a terminal', () => {
  it('a table in a terminal has titles, colours, and lines that fit', async () => {
    const { code, out } = await inTerminal(directory, { columns: 90 }, 'events')
    expect(code).toBe(0)
    const lines = stripVTControlCharacters(out).trim().split('\n')
    expect(lines[0]).toMatch(/^updated \(UTC\) +status +source/)
    expect(lines[1]).toContain('…')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(90)
    expect(out).toContain(ESCAPE)
  })

  it('the id in a table can be copied into the next command', async () => {
    const { out } = await inTerminal(directory, { columns: 200 }, 'events')
    const id = stripVTControlCharacters(out).trim().split('\n')[1]?.trim().split(/ +/).at(-1) ?? ''
    expect(id).toMatch(/^[0-9a-f]{12}$/)
    expect((await hooklatch(directory, 'show', id)).code).toBe(0)
    const shorter = await hooklatch(directory, 'show', id.slice(0, 7))
    expect(shorter).toMatchObject({ code: 1, err: expect.stringContaining('at least the first 12 characters of ours') })
  })

  it('a list of events that is empty because of its flags says so', async () => {
    const { code, out } = await inTerminal(directory, {}, 'events', '--status', 'failed')
    expect(code).toBe(0)
    expect(out).toContain('No event matches:')
    expect(out).not.toContain('No events yet')
  })

  it('NO_COLOR switches colours off in a terminal', async () => {
    const { out } = await inTerminal(directory, { env: { NO_COLOR: '1' } }, 'events')
    expect(out).toMatch(/^updated/)
    expect(out).not.toContain(ESCAPE)
  })

  it('hooklatch --version prints the version of the package', async () => {
    const { code, out } = await hooklatch(directory, '--version')
    expect({ code, out: out.trim() }).toEqual({ code: 0, out: manifest.version })
  })

  it('help is wrapped to the width of the terminal', async () => {
    const { out } = await inTerminal(directory, { columns: 60 }, '--help')
    for (const line of out.split('\n').filter(each => each.startsWith('  ')))
      expect(line.length).toBeLessThanOrEqual(60)
  })

  it('secrets set asks for the secret in a terminal and shows nothing of it', async () => {
    const type = { after: '(not shown): ', keys: 'whsec_typeX\u007fd_0123456789\r' }
    const { code, out } = await inTerminal(directory, { type }, 'secrets', 'set', 'stripe')
    expect(code).toBe(0)
    expect(out).toContain('"stripe" has a new secret')
    expect(out).not.toContain('typed')
    expect((await hooklatch(directory, 'send', 'stripe')).out).toMatch(/^202/)
  })

  it('Ctrl-C at the question for a secret changes nothing', async () => {
    const type = { after: '(not shown): ', keys: 'whsec_half\u0003' }
    const { code, out } = await inTerminal(directory, { type }, 'secrets', 'set', 'stripe')
    expect(code).toBe(1)
    expect(out).toContain('Nothing was changed.')
  })

  it('the doctor prints a mark before each finding in a terminal', async () => {
    const { code, out } = await inTerminal(directory, {}, 'doctor')
    expect(code).toBe(0)
    expect(stripVTControlCharacters(out)).toMatch(/^✓ deployment: listens on http/)
  })
})

describe('in a pipe', () => {
  it('lines in a pipe are plain and tab-separated, unless colours are forced', async () => {
    const { out } = await hooklatch(directory, 'sources')
    expect(out.split('\n')[0]?.split('\t')).toEqual([
      'stripe',
      'live',
      'stripe',
      'present',
      '7d',
      '31d',
      '-',
      `${local.url}/webhooks/stripe`,
    ])
    const forced = await hooklatchWith({ FORCE_COLOR: '1' }, directory, 'sources')
    expect(forced.out).toContain(ESCAPE)
  })

  it.each([
    ['events', 'events'],
    ['sources', 'sources'],
    ['secrets list', 'secrets'],
    ['doctor', 'findings'],
  ])('hooklatch %s --json prints one document with %s', async (words, field) => {
    const { code, out } = await hooklatch(directory, ...words.split(' '), '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)[field].length).toBeGreaterThan(0)
  })

  it('a rotated secret is accepted at once, and the previous one until the rotation is finished', async () => {
    const [previous, current] = ['whsec_before_0123456789', 'whsec_rotated_0123456789']
    await hooklatchFed(previous, {}, directory, 'secrets', 'set', 'stripe')
    expect(await delivered(previous)).toBe(202)
    expect((await hooklatchFed(`${current}\n`, {}, directory, 'secrets', 'rotate', 'stripe')).code).toBe(0)
    expect([await delivered(current), await delivered(previous)]).toEqual([202, 202])
    const third = await hooklatchFed('whsec_third_0123456789', {}, directory, 'secrets', 'rotate', 'stripe')
    expect(third).toMatchObject({
      code: 1,
      err: expect.stringContaining('First run `npx hooklatch secrets finish-rotation'),
    })
    const early = await hooklatch(directory, 'secrets', 'finish-rotation', 'stripe', '--json')
    expect(early).toMatchObject({
      code: 1,
      err: expect.stringContaining('was signed with the previous secret recently'),
    })
    const finished = await hooklatch(directory, 'secrets', 'finish-rotation', 'stripe', '--yes', '--json')
    expect(finished).toMatchObject({
      code: 0,
      out: '{"source":"stripe","action":"finish-rotation","changed":true,"secrets":1}\n',
    })
    expect([await delivered(current), await delivered(previous)]).toEqual([202, 401])
  })

  it('doctor is not content with secrets that cannot be read', async () => {
    const { secretsFile } = instanceIn(directory)
    const before = readFileSync(secretsFile)
    writeFileSync(secretsFile, '{ broken')
    const { code, out } = await hooklatch(directory, 'doctor', '--json')
    writeFileSync(secretsFile, before)
    expect([code, JSON.parse(out).healthy]).toEqual([1, false])
    expect(JSON.parse(out).findings).toContainEqual(
      expect.objectContaining({ check: 'secrets', level: 'wrong', says: `${secretsFile} is not JSON.` }),
    )
  })

  it('a short secret is set with a warning, and doctor warns of it too', async () => {
    const answer = await hooklatchFed('whsec_short', {}, directory, 'secrets', 'set', 'stripe')
    expect(answer).toMatchObject({
      code: 0,
      err: expect.stringContaining('Warning: the secret is shorter than 16 bytes'),
    })
    const { findings } = JSON.parse((await hooklatch(directory, 'doctor', '--json')).out)
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'secrets',
        level: 'warning',
        subject: 'stripe',
        says: expect.stringContaining('shorter than 16 bytes'),
      }),
    )
  })

  it.each([
    ['whsec_', 'the secret is only the prefix whsec_: expected the whole value'],
    ['\n', 'No secret was given'],
    ['await:2026-11-16', 'the secret begins like one of the marks that Hooklatch stores'],
    ['abc', 'the secret has fewer than 4 bytes'],
    ['-----BEGIN PUBLIC KEY-----', 'the secret is a certificate or a key of a pair'],
  ])('a secret that cannot be one is refused, and not repeated: %j', async (value, sentence) => {
    const { code, out, err } = await hooklatchFed(value, {}, directory, 'secrets', 'set', 'stripe')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(sentence)
  })

  it.each([
    [['secrets', 'set', 'strip'], 1, 'There is no source "strip": did you mean "stripe"?'],
    [['secrets', 'await', 'stripe'], 1, 'Stripe does not hand over its secret'],
  ])('hooklatch %j is refused with exit code %i and a hint', async (args, code, hint) => {
    const answer = await hooklatch(directory, ...args)
    expect(answer).toMatchObject({ code, err: expect.stringContaining(hint) })
  })
})

describe('completion', () => {
  const offered = async (...words: string[]): Promise<string[]> => {
    const script = join(directory, 'completion.bash')
    if (!existsSync(script)) writeFileSync(script, (await hooklatch(directory, 'completion', 'bash')).out)
    const program = [
      `hooklatch() { '${process.execPath}' '${join(directory, 'bin/hooklatch.ts')}' "$@"; }`,
      `source '${script}'`,
      `COMP_WORDS=(hooklatch ${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _hooklatch`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: bash, not JavaScript
      'echo "${COMPREPLY[*]}"',
    ].join('\n')
    return execFileSync('bash', ['-c', program], { cwd: directory, encoding: 'utf8' }).trim().split(' ')
  }

  it.each([
    [['eve'], ['events']],
    [['events', '--stat'], ['--status']],
    [['events', '--status', 'f'], ['failed']],
    [['secrets', 'fin'], ['finish-rotation']],
    [
      ['secrets', 'rotate', '--json', 'git'],
      ['github', 'gitlab'],
    ],
    [['providers', 'stand'], ['standard-webhooks']],
  ])('completion in bash offers for %j what exists', async (words, expected) => {
    expect(await offered(...words)).toEqual(expected)
  })

  it.each(['zsh', 'fish'])('completion in %s knows every command', async shell => {
    const { code, out } = await hooklatch(directory, 'completion', shell)
    expect(code).toBe(0)
    for (const name of ['start', 'doctor', 'secrets', 'completion']) expect(out).toContain(name)
  })
})
