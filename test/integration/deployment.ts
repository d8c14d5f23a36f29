import type { Credentials } from '../../functions/adapters/lean/credentials.ts'
import type { Api } from '../../lib/constructs/front.ts'

/** A running receiver as its surroundings know it: where to post, and what to read. The cases know no more of a target. */
export interface Deployment {
  readonly api: Api
  /** What stands before `/webhooks/{source}`. */
  readonly base: string
  /** What stands before `/publish/{source}`: a function URL is one function's. */
  readonly publishBase: string
  readonly eventsTable: string
  readonly bodiesTable: string
  readonly bodiesBucket: string
  readonly queueUrl: string
  readonly orderedQueueUrl: string
  readonly deadLettersUrl: string
  readonly orderedDeadLettersUrl: string
  /** Where the events of the source `routed` go; undefined for a target that is deployed without destinations. */
  readonly destinations?: {
    /** The user's queue, which `crm` hands over to. */
    readonly crmUrl: string
    /** A queue that gets what comes to the user's bus. The embedded engines have no bus. */
    readonly onBusUrl?: string
    /** The user's HTTPS service: the file of what it got, and what that is signed with. Only on this machine. */
    readonly service?: { readonly file: string; readonly secret: { readonly value: string } | { readonly id: string } }
  }
  /** Where operators keep the signing secrets. */
  readonly secrets: { readonly file: string } | { readonly id: string }
  /** Whether the gateway tells the function which IAM principal calls. The free LocalStack does not, whatever the signature. */
  readonly namesCallers: boolean
  /** Whether the gateway hands over JSON that is not UTF-8 byte by byte. MiniStack replaces what is no text. */
  readonly keepsBytes: boolean
  /** How the command line is told of it. */
  readonly cli: { readonly directory: string; readonly flags: readonly string[]; readonly env: NodeJS.ProcessEnv }
  /** @default - those of the shell */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string }
  /** Whom the URLs of functions are granted to, so that it can be taken away. Only on an emulator, where their names are this machine. */
  readonly functionUrls?: {
    readonly receiveFunction: string
    /** A service of the team's, and a session of it. */
    readonly publisherRole: string
    readonly publisher: Credentials
  }
  readonly region: string
  /** @default - AWS */
  readonly endpoints?: Readonly<Record<'dynamodb' | 'sqs' | 's3' | 'secrets', string>>
}

/** What a target brings up, and how it goes away again. */
export interface Target {
  readonly deployments: readonly Deployment[]
  /** A message that failed comes back after this, and so does one whose worker was slower: a case of five failures waits for it. */
  readonly comesBackAfterSeconds: number
  takeDown(): Promise<void>
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly deployments: readonly Deployment[]
  }
}
