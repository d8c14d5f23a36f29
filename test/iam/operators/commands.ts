import { unique } from '../../integration/rig.ts'
import type { Scene } from './scene.ts'

export const POLICIES = ['ReadPolicy', 'BodiesPolicy', 'ReplayPolicy', 'SecretsPolicy', 'ErasePolicy'] as const
export type Policy = (typeof POLICIES)[number]

export interface Command {
  /** As docs/iam.md names it. */
  readonly name: string
  /** Besides ReadPolicy, by which every command finds the stack. Without one of them it is refused. */
  readonly needs?: readonly Policy[]
  /** It says more with them. Without one, it does the rest and names what is missing. */
  readonly shows?: readonly Policy[]
  /** Of ReadPolicy: without one of these, it does the rest and names what is missing. */
  readonly canLack?: readonly string[]
  readonly args: (scene: Scene) => readonly string[] | Promise<readonly string[]>
  /** What it reads from standard input. */
  readonly input?: () => string
  /** It goes on until Ctrl-C, and has printed this by then. */
  readonly until?: RegExp
  /** Its exit code here, or what it prints whatever it finds. @default 0 */
  readonly ends?: 0 | 1 | RegExp
  /** Why it is not 0. */
  readonly since?: string
}

const BODIES = ['BodiesPolicy'] as const
const REPLAY = ['ReplayPolicy'] as const
const SECRETS = ['SecretsPolicy'] as const
const ERASE = ['ErasePolicy'] as const
const BOTH = ['BodiesPolicy', 'ReplayPolicy'] as const
const BESIDE_THE_RECORD = ['logs:FilterLogEvents', 'dynamodb:BatchGetItem']
const EVERYTHING_BUT_THE_STACK = [
  ...['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query', 'sqs:GetQueueAttributes'],
  ...['logs:FilterLogEvents', 'cloudwatch:GetMetricData', 'cloudwatch:DescribeAlarms'],
]
/** Another each time: what is stored already is not stored again. */
const newSecret = (): string => unique('whsec_')
const SURE = ['--reason', 'proof', '--yes']

/** Every command that speaks to a stack; a test compares them with those of the command line. */
export const COMMANDS: readonly Command[] = [
  { name: 'events', args: () => ['events', '--limit', '5'] },
  { name: 'show', shows: BODIES, canLack: BESIDE_THE_RECORD, args: ({ done }) => ['show', done] },
  { name: 'show, of a large body', shows: BODIES, canLack: BESIDE_THE_RECORD, args: ({ large }) => ['show', large] },
  { name: 'deliveries', args: ({ done }) => ['deliveries', done] },
  { name: 'stats', args: () => ['stats', '--since', '1h'] },
  { name: 'sources', shows: SECRETS, args: () => ['sources'] },
  { name: 'routes --event', needs: BODIES, args: ({ done }) => ['routes', 'stripe', '--event', done] },
  {
    name: 'doctor',
    shows: SECRETS,
    canLack: EVERYTHING_BUT_THE_STACK,
    args: () => ['doctor'],
    ends: /^ok\tdeployment/,
    since: 'it finds what is wrong with the scene',
  },
  { name: 'console', args: () => ['console'], until: /http:\/\/127\.0\.0\.1/ },
  {
    name: 'listen',
    needs: BODIES,
    args: ({ laptop }) => ['listen', '--to', laptop, '--source', 'github', '--since', '1h', '--again'],
    until: /^\d\d.* 200 /m,
  },
  { name: 'replay --dry-run', args: () => ['replay', '--source', 'stripe', '--since', '1h', '--dry-run'] },
  { name: 'replay <id>', needs: REPLAY, args: async ({ fresh }) => ['replay', await fresh(), ...SURE] },
  {
    name: 'replay --source',
    needs: REPLAY,
    args: () => ['replay', '--source', 'gitlab', '--since', '1h', ...SURE],
  },
  { name: 'replay --resume', needs: REPLAY, args: ({ job }) => ['replay', '--resume', job] },
  {
    name: 'replay --cancel',
    needs: REPLAY,
    args: ({ job }) => ['replay', '--cancel', job],
    ends: 1,
    since: 'the job has finished',
  },
  { name: 'redrive', canLack: ['sqs:GetQueueAttributes'], args: () => ['redrive'] },
  { name: 'redrive <id>', needs: REPLAY, args: async ({ failed }) => ['redrive', await failed(), ...SURE] },
  { name: 'erase --dry-run', args: () => ['erase', '--source', 'svix', '--before', '0s', '--dry-run'] },
  { name: 'erase --event', needs: ERASE, args: async ({ fresh }) => ['erase', '--event', await fresh(), ...SURE] },
  {
    name: 'erase --source',
    needs: ERASE,
    args: async ({ svix }) => {
      await svix()
      return ['erase', '--source', 'svix', '--before', '0s', ...SURE]
    },
  },
  { name: 'pause', needs: REPLAY, args: () => ['pause', 'crm', '--reason', 'proof'] },
  { name: 'resume', needs: REPLAY, args: () => ['resume', 'crm'] },
  { name: 'reconcile', needs: REPLAY, args: () => ['reconcile', 'stripe', '--dry-run'] },
  { name: 'quarantine list', needs: BODIES, args: () => ['quarantine', 'list', 'quarantined'] },
  {
    name: 'quarantine show',
    needs: BODIES,
    args: ({ rejected }) => ['quarantine', 'show', 'quarantined', rejected()],
  },
  {
    name: 'quarantine verify',
    needs: BOTH,
    args: ({ rejected }) => ['quarantine', 'verify', 'quarantined', rejected()],
  },
  {
    name: 'quarantine accept',
    needs: BOTH,
    args: ({ rejected }) => ['quarantine', 'accept', 'quarantined', rejected('taken'), ...SURE],
  },
  { name: 'capture list', needs: BODIES, args: () => ['capture', 'list', 'shopify'] },
  { name: 'capture show', needs: BODIES, args: ({ captured: [one] }) => ['capture', 'show', 'shopify', one] },
  { name: 'compare', needs: BODIES, args: ({ captured }) => ['compare', ...captured] },
  { name: 'capture status', needs: SECRETS, args: () => ['capture', 'status'] },
  { name: 'capture start', needs: SECRETS, args: () => ['capture', 'start', 'slack'] },
  { name: 'capture stop', needs: SECRETS, args: () => ['capture', 'stop', 'slack'] },
  { name: 'secrets list', needs: SECRETS, canLack: ['cloudwatch:GetMetricData'], args: () => ['secrets', 'list'] },
  { name: 'secrets set', needs: SECRETS, args: () => ['secrets', 'set', 'without-secret'], input: newSecret },
  {
    name: 'secrets rotate',
    needs: SECRETS,
    args: async ({ owner }) => {
      await owner.setSecrets({ rotated: [newSecret()] })
      return ['secrets', 'rotate', 'rotated']
    },
    input: newSecret,
  },
  {
    name: 'secrets finish-rotation',
    needs: SECRETS,
    args: async ({ owner }) => {
      await owner.setSecrets({ rotated: [newSecret(), newSecret()] })
      return ['secrets', 'finish-rotation', 'rotated', '--yes']
    },
  },
  { name: 'secrets await', needs: SECRETS, args: () => ['secrets', 'await', 'notion', '--for', '1m'] },
  {
    name: 'secrets confirm',
    needs: SECRETS,
    args: () => ['secrets', 'confirm', 'notion', '--yes'],
    ends: 1,
    since: 'Notion has handed nothing over',
  },
  {
    name: 'connect --status',
    args: ({ stranger }) => ['connect', 'stripe', '--status', ...stranger],
    ends: 1,
    since: 'there is no endpoint',
  },
  {
    name: 'connect',
    needs: SECRETS,
    args: async ({ owner, api }) => {
      await owner.setSecrets({ 'gives-up-on-4xx': [newSecret()] })
      return ['connect', 'gives-up-on-4xx', '--replace', ...api]
    },
  },
  { name: 'disconnect', args: ({ api }) => ['disconnect', 'gives-up-on-4xx', '--yes', ...api] },
]

/** What it is allowed in all, by what docs/iam.md says. */
export const policiesOf = ({ needs = [], shows = [] }: Command): readonly Policy[] => ['ReadPolicy', ...needs, ...shows]
