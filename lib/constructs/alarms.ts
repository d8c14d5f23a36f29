import { Stack } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { SEVERAL_NAME } from '../../functions/contract/queues.ts'
import { WORKER } from '../../functions/domain/destinations.ts'
import type { Source } from '../../functions/domain/source.ts'
import { type Rule, stackRules } from './alarm-rules.ts'
import { destinationRules, pausedRule } from './destination-alarm-rules.ts'
import { reconcileRules, sourceRules } from './source-alarm-rules.ts'
import type { Watched } from './watched.ts'

export interface AlarmsProps {
  readonly watched: Watched
  readonly sources: readonly Source[]
  /** @default - the alarms change their state and tell nobody */
  readonly topic?: ITopic | undefined
}

/** About $0.50 a month per source, $0.60 per destination and $1.70 for the rest ($2.00 with an ordered queue), at $0.10 per metric watched. */
export class Alarms extends Construct {
  /** What the name of each begins with: the stack and the receiver in it. The rest is its section in docs/runbook.md. */
  readonly namePrefix: string

  constructor(scope: Construct, id: string, { watched, sources, topic }: AlarmsProps) {
    super(scope, id)
    this.namePrefix = `${Stack.of(this).stackName}-${pathInStack(scope)}-`
    const rules: Readonly<Record<string, Rule>> = Object.assign(
      stackRules(watched),
      ...sources.map(({ name }) => sourceRules(watched.environment, name)),
      ...sources.map(({ name, reconcile }) => reconcile && reconcileRules(watched.environment, name, reconcile)),
      ...pausable(watched).map(name => pausedRule(watched.environment, name)),
      ...Object.entries(watched.destinations).map(([name, each]) => destinationRules(watched.environment, name, each)),
    )
    for (const [name, rule] of Object.entries(rules)) {
      const alarm = new Alarm(this, name, {
        alarmName: `${this.namePrefix}${name}`,
        metric: rule.metric,
        ...bound(rule),
        evaluationPeriods: rule.periods ?? 1,
        alarmDescription: rule.says,
      })
      if (topic) {
        const tell = new SnsAction(topic)
        alarm.addAlarmAction(tell)
        alarm.addOkAction(tell)
      }
    }
  }
}

const pausable = ({ destinations }: Watched): readonly string[] =>
  [WORKER, ...Object.keys(destinations)].filter(name => name !== SEVERAL_NAME)

const pathInStack = (scope: Construct): string =>
  scope.node.scopes
    .slice(Stack.of(scope).node.scopes.length)
    .map(({ node }) => node.id)
    .join('-')

/** Where too much is wrong, silence is fine; where too little is, silence is the worst of it. */
const bound = (rule: Rule) =>
  'below' in rule
    ? {
        threshold: rule.below,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.BREACHING,
      }
    : {
        threshold: rule.atLeast ?? 1,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }
