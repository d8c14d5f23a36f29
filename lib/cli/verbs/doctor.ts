import { connectWithSources } from '../../connect/connect.ts'
import { isRefusal } from '../../connect/refusal.ts'
import { explainFault, isDenied } from '../../operator/explain-fault.ts'
import { jsonLines, type Style, type Terminal } from '../../terminal/terminal.ts'
import { checkAlarms } from '../checks/check-alarms.ts'
import { checkClock } from '../checks/check-clock.ts'
import { checkComparisons } from '../checks/check-comparisons.ts'
import { checkDomain } from '../checks/check-domain.ts'
import { checkPauses } from '../checks/check-pauses.ts'
import { checkPermissions } from '../checks/check-permissions.ts'
import { checkQueues } from '../checks/check-queues.ts'
import { checkRecovery } from '../checks/check-recovery.ts'
import { checkSenders } from '../checks/check-senders.ts'
import { checkSigningSecrets } from '../checks/check-signing-secrets.ts'
import { checkSources } from '../checks/check-sources.ts'
import { checkStack } from '../checks/check-stack.ts'
import { checkStore } from '../checks/check-store.ts'
import { checkTraffic } from '../checks/check-traffic.ts'
import { type Check, type Deployment, type Finding, type Found, type Level, unknown, wrong } from '../checks/finding.ts'
import { readUrl } from '../flags.ts'
import { SENDER_FLAGS, SOURCE_FILE_FLAG, TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const doctor = verb({
  summary: 'Look for what is wrong, and say how to fix it.',
  operands: [],
  flags: {
    json: { help: 'Print { "healthy": ..., "findings": [...] }.' },
    'api-url': SENDER_FLAGS['api-url'],
    ...SOURCE_FILE_FLAG,
    ...TARGET_FLAGS,
  },
  teaches: [
    'Checks that every source is deployed and has a secret that fits, that the table, the queues and recovery work, what happened in',
    'the last hour, what IAM refused, which alarms have fired, and that the clocks agree. With an API key (HOOKLATCH_API_KEY, or a stored',
    'one) it also asks the sender whether our endpoint is there and enabled. Changes nothing. Exit code 1 if something is wrong;',
    'a warning, or a check that you have no permission for, does not count.',
    '',
    '  npx hooklatch doctor',
    '  npx hooklatch doctor --stack Hooklatch-production --json',
  ].join('\n'),
  async run({ flags }, terminal) {
    const apiUrl = readUrl(flags['api-url'], 'api-url')
    if (isRefusal(apiUrl)) return apiUrl
    const connected = await connectWithSources(flags)
    if (isRefusal(connected)) return connected
    const { connection, sources } = connected
    const findings = await examine({ connection, sources, apiUrl })
    const healthy = !findings.some(({ level }) => level === 'wrong')
    if (flags.json) terminal.out(jsonLines({ healthy, findings }))
    else print(findings, terminal)
    return healthy ? 0 : 1
  },
})

const CHECKS: Readonly<Record<string, Check>> = {
  deployment: checkStack,
  clock: checkClock,
  store: checkStore,
  sources: checkSources,
  secrets: checkSigningSecrets,
  senders: checkSenders,
  comparisons: checkComparisons,
  queues: checkQueues,
  pauses: checkPauses,
  recovery: checkRecovery,
  traffic: checkTraffic,
  permissions: checkPermissions,
  domain: checkDomain,
  alarms: checkAlarms,
}

/** Side by side; one that cannot look does not keep the others from it. */
const examine = async (deployment: Deployment): Promise<readonly Finding[]> => {
  const found = await Promise.all(
    Object.entries(CHECKS).map(async ([check, look]) =>
      (await look(deployment).catch(couldNotLook)).map(finding => ({ ...finding, check })),
    ),
  )
  return found.flat()
}

/** A missing permission says nothing about the deployment; anything else does. */
const couldNotLook = (error: Error): readonly Found[] => [
  (isDenied(error) ? unknown : wrong)(explainFault(error) ?? error.message),
]

const print = (findings: readonly Finding[], { out, style, interactive }: Terminal): void => {
  for (const { check, level, subject, says, fix } of findings) {
    if (interactive) {
      const { mark, in: inStyle } = MARKS[level]
      const what = `${style('bold', check)}${subject === null ? '' : ` ${subject}`}`
      out(`${style(inStyle, mark)} ${what}: ${says.replace(/\.$/, '')}.`)
      if (fix !== null) out(style('dim', `    ${fix}`))
    } else out([level, check, subject ?? '-', says, fix ?? '-'].join('\t'))
  }
}

const MARKS = {
  ok: { mark: '\u2713', in: 'green' },
  warning: { mark: '!', in: 'yellow' },
  wrong: { mark: '\u2717', in: 'red' },
  unknown: { mark: '?', in: 'dim' },
} as const satisfies Record<Level, { readonly mark: string; readonly in: Style }>
