import { Runtime, RuntimeFamily } from 'aws-cdk-lib/aws-lambda'
import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { KEY_ARN, mistakesOf, oneOf, type PropRules, TOPIC_ARN, throwMistakes } from '../constructs/prop-rules.ts'
import { isNode, OLDEST_NODE } from '../constructs/receiver-props.ts'
import type { ReceiverStackProps } from './receiver-stack.ts'

/** What the command line says of a stack: the props of `ReceiverStack` that `-c name=value` can set. */
export type ContextProps = Pick<
  ReceiverStackProps,
  'api' | 'alarmTopicArn' | 'encryptionKeyArn' | 'logRetention' | 'runtime'
> & { readonly environment: string; readonly throwAway: boolean }

/**
 * `npx cdk deploy -c environment=staging -c api=rest -c throwAway=true -c runtime=nodejs22.x -c alarmTopic=arn:aws:sns:...
 * -c encryptionKey=arn:aws:kms:... -c logRetention=90`, or the same names under `context` in cdk.json. Throws one error with every mistake.
 */
export const readContext = (app: Construct): ContextProps => {
  throwMistakes(contextMistakes(app))
  const {
    environment = 'production',
    api,
    alarmTopic,
    throwAway,
    runtime,
    encryptionKey,
    logRetention,
  } = contextOf(app)
  return {
    environment,
    api,
    alarmTopicArn: alarmTopic,
    encryptionKeyArn: encryptionKey,
    logRetention: logRetention === undefined ? undefined : Number(logRetention),
    throwAway: String(throwAway) === 'true',
    runtime: runtime === undefined ? undefined : new Runtime(runtime, RuntimeFamily.NODEJS),
  }
}

export const contextMistakes = (app: Construct): readonly string[] => mistakesOf(CONTEXT_RULES, contextOf(app), '-c ')

const contextOf = (app: Construct) =>
  Object.fromEntries(Object.keys(CONTEXT_RULES).map(name => [name, app.node.tryGetContext(name)]))

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
