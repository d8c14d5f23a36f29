/** The commits that a user notices, by kind and then by part; `feat(cli)!: ...` is one that asks something of them. */
export const changelogOf = (commits: readonly string[]): string => {
  const lines = commits.flatMap(commit => {
    const [, hash, kind, part, breaks, what] = COMMIT.exec(commit) ?? []
    const head = breaks ? BREAKING : Object.entries(HEADS).find(([name]) => name === kind)?.[1]
    return head && what ? [{ head, line: `- ${part ? `**${part}:** ` : ''}${what} (${hash})` }] : []
  })
  return [BREAKING, ...Object.values(HEADS)]
    .map(head => ({ head, own: lines.filter(each => each.head === head).map(({ line }) => line) }))
    .filter(({ own }) => own.length > 0)
    .map(({ head, own }) => `## ${head}\n\n${own.toSorted().join('\n')}\n`)
    .join('\n')
}

const COMMIT = /^(\w+) (\w+)(?:\(([^)]+)\))?(!)?: (.+)$/

const BREAKING = 'Changed: read this before you upgrade'

/** Tests, refactorings and chores change nothing for a user. */
const HEADS = { feat: 'New', fix: 'Fixed', perf: 'Faster', docs: 'Documentation' } as const
