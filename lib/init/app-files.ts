import type { SourceConfig } from '../../functions/domain/source.ts'
import { asKey, literal } from '../sender/example-source.ts'
import { projectFiles } from './project-files.ts'
import { type Sample, sampleFor } from './sample.ts'

/** What a new app is made from. */
export interface AppRequest {
  /** Of its package.json. */
  readonly name: string
  readonly sources: Readonly<Record<string, SourceConfig>>
  /** What it depends on: a version, or anything else that npm takes. */
  readonly hooklatch: string
}

/** Every file of a new app, by its path. */
export const appFiles = ({ name, sources, hooklatch }: AppRequest): Readonly<Record<string, string>> => {
  const sample = sampleFor(sources)
  return {
    ...projectFiles(name, hooklatch),
    'sources.ts': sourcesFile(sources),
    'destinations.ts': DESTINATIONS,
    'worker.ts': sample.worker,
    'worker.test.ts': sample.test,
    'app.ts': stackFile(sample),
    'README.md': readme(name, sample),
  }
}

const sourcesFile = (sources: AppRequest['sources']): string => `import type { Sources } from 'hooklatch/providers'

/** Who may post to you: each name is an endpoint, \`/webhooks/{name}\`. \`npx hooklatch providers\` lists the senders. */
export default {
${Object.entries(sources)
  .map(([name, source]) => `  ${asKey(name)}: ${literal(source)},`)
  .join('\n')}
} satisfies Sources
`

const DESTINATIONS = `import type { Destinations } from 'hooklatch/providers'

/** Where events may go besides the worker, \`name: { worker | queue | bus | url }\`. The routes of a source lead there by name. */
export default {} satisfies Destinations
`

/** The CDK app. */
const stackFile = ({ table }: Pick<Sample, 'table'>): string => {
  const name = table.id.toLowerCase()
  return `import { App, RemovalPolicy } from 'aws-cdk-lib'
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb'
import { ReceiverStack, readContext } from 'hooklatch'
import destinations from './destinations.ts'
import sources from './sources.ts'

const app = new App()
// \`npx cdk deploy -c environment=staging\` deploys a stack of its own, Webhooks-staging.
const context = readContext(app)
const { environment, throwAway } = context
// With a \`domain\` of your own, set \`disableExecuteApiEndpoint: true\` as well: then nobody can post past it.
const stack = new ReceiverStack(app, environment === 'production' ? 'Webhooks' : \`Webhooks-\${environment}\`, {
  ...context,
  sources,
  destinations,
  worker: 'worker.ts',
})

// A table of your own: the worker may write to it, and knows its name. \`npm start\` creates it on your machine, too.
const { worker } = stack.receiver
const ${name} = new Table(stack, '${table.id}', {
  partitionKey: { name: 'id', type: AttributeType.STRING },
  billingMode: BillingMode.PAY_PER_REQUEST,
  removalPolicy: throwAway ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
})
${name}.grantWriteData(worker)
worker.addEnvironment('${table.variable}', ${name}.tableName)
`
}

/** Twenty lines: what is where, and what to type. */
const readme = (name: string, { source, table }: Sample): string => `# ${name}

Receives webhooks with Hooklatch. \`sources.ts\` says who may post, \`worker.ts\` is your code, \`destinations.ts\` says where
events may go besides, and \`app.ts\` is the stack.

\`\`\`sh
npm install
npm start                       # everything on this machine, your own tables too; no AWS account needed
npx hooklatch send ${source}${' '.repeat(Math.max(1, 13 - source.length))}# in another terminal: a signed event
npx hooklatch events            # what became of it; npx hooklatch show ID tells more
npm test                        # worker.test.ts, on an AWS in memory
\`\`\`

The worker keeps ${table.keeps} in the table \`${table.id}\` of \`app.ts\`. Change it, and the next event gets the new code.

\`\`\`sh
npx cdk bootstrap               # once per account and region
npx cdk deploy                  # the outputs are the URLs to paste at your senders
npx hooklatch secrets set ${source} --stack Webhooks
npx hooklatch doctor --stack Webhooks
\`\`\`
`
