import type { Duration } from 'aws-cdk-lib'
import { Validations } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { NodeFunction } from './node-function.ts'

interface Regularly {
  readonly every: Duration
  /** One that could not start by then is not kept. */
  readonly within: Duration
  readonly description: string
  /** Why nothing is lost with a run that fails. */
  readonly reason: string
}

/** Runs a function again and again. A run that fails is not repeated. */
export const runRegularly = (made: NodeFunction, { every, within, description, reason }: Regularly): void => {
  const once = { retryAttempts: 0, maxEventAge: within }
  made.function.configureAsyncInvoke(once)
  const schedule = new Rule(made, 'Schedule', { description, schedule: Schedule.rate(every) })
  schedule.addTarget(new LambdaFunction(made.function, once))
  Validations.of(made).acknowledge(
    { id: 'Serverless-LambdaAsyncFailureDestination', reason },
    { id: 'Serverless-EventBusDLQ', reason },
  )
}
