import { execFileSync } from 'node:child_process'
import { changelogOf } from '../lib/packaging/changelog-of.ts'
import { processTerminal } from '../lib/terminal/terminal.ts'

// node bin/node.js bin/changelog.ts [since]: what changed for a user since a tag or commit (default: the last tag, else everything).
const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

const lastTag = (): string | undefined => {
  try {
    return git('describe', '--tags', '--abbrev=0', 'HEAD^').trim()
  } catch {
    return undefined
  }
}

const since = process.argv[2] ?? lastTag()
const range = since ? [`${since}..HEAD`] : []
const { out, err } = processTerminal()
try {
  const log = git('log', '--no-merges', '--reverse', '--format=%h %s', '--end-of-options', ...range)
  out(changelogOf(log.split('\n').filter(Boolean)).trimEnd().split('\n'))
} catch {
  err(
    `git knows no tag or commit ${since}. node bin/node.js bin/changelog.ts [SINCE]: a tag or commit, by default the last tag.`,
  )
  process.exitCode = 2
}
