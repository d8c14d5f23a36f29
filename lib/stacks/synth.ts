import { resolve } from 'node:path'
import { App, Validations } from 'aws-cdk-lib'
import { Runtime, RuntimeFamily } from 'aws-cdk-lib/aws-lambda'
import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import type { Destinations } from '../../functions/domain/destinations.ts'
import type { Sources } from '../../functions/domain/source.ts'
import { KEY_ARN, mistakesOf, oneOf, type PropRules, TOPIC_ARN, throwMistakes } from '../constructs/prop-rules.ts'
import { isNode, OLDEST_NODE, receiverMistakes } from '../constructs/receiver-props.ts'
import { ReceiverStack } from './receiver-stack.ts'
import { sampleTable } from './sample-table.ts'

/** The whole app, from what stands on the command line (`-c name=value`). */
export const synth = (sources: Sources, app = new App(), destinations: Destinations = {}): void => {
  const context = Object.fromEntries(Object.keys(CONTEXT_RULES).map(name => [name, app.node.tryGetContext(name)]))
  throwMistakes([
    ...mistakesOf(CONTEXT_RULES, context, '-c '),
    ...receiverMistakes({ sources, sourcesModule, destinations }),
  ])
  const { environment = 'production', api, alarmTopic, throwAway, runtime, encryptionKey, logRetention } = context

  const isThrowAway = String(throwAway) === 'true'
  const stack = new ReceiverStack(app, `Hooklatch-${environment}`, {
    sources,
    sourcesModule,
    ...(Object.keys(destinations).length > 0 && { destinations }),
    environment,
    api,
    alarmTopicArn: alarmTopic,
    encryptionKeyArn: encryptionKey,
    logRetention: logRetention === undefined ? undefined : Number(logRetention),
    throwAway: isThrowAway,
    runtime: runtime === undefined ? undefined : new Runtime(runtime, RuntimeFamily.NODEJS),
  })
  sampleTable(stack, isThrowAway)
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app))
  // Not left to the end of the process: a mistake found only then would end as a stack.
  app.synth()
}

const sourcesModule = resolve(import.meta.dirname, '../../sources.ts')

const CONTEXT_RULES = {
  environment: [
    {
      expected: '1 to 64 letters, digits and hyphens: it is a part of the name of the stack',
      holds: value => typeof value === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(value),
    },
  ],
  api: [oneOf('http', 'rest', 'url')],
  alarmTopic: [TOPIC_ARN],
  encryptionKey: [KEY_ARN],
  logRetention: [
    {
      expected: 'a number of days that CloudWatch Logs takes, such as 7, 30, 90 or 365',
      holds: value => RetentionDays[Number(value)] !== undefined,
    },
  ],
  // As a text from the command line, as a boolean from cdk.json.
  throwAway: [{ expected: 'true or false', holds: value => ['true', 'false'].includes(String(value)) }],
  runtime: [{ expected: `nodejs${OLDEST_NODE}.x or newer`, holds: isNode }],
} satisfies PropRules<string>
