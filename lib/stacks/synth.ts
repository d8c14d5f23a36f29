import { resolve } from 'node:path'
import { App, Validations } from 'aws-cdk-lib'
import { Runtime, RuntimeFamily } from 'aws-cdk-lib/aws-lambda'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import type { Sources } from '../../functions/domain/source.ts'
import { ReceiverStack } from './receiver-stack.ts'

/** The whole app, from what stands on the command line (`-c name=value`). */
export const synth = (sources: Sources): void => {
  const app = new App()
  const context = (name: string): string | undefined => app.node.tryGetContext(name)

  const api = context('api')
  if (api !== undefined && api !== 'http' && api !== 'rest') throw new Error(`-c api=${api}: expected http or rest`)
  const environment = context('environment') ?? 'production'
  const runtime = context('runtime')

  new ReceiverStack(app, `Hooklatch-${environment}`, {
    sources,
    sourcesModule: resolve(import.meta.dirname, '../../sources.ts'),
    environment,
    api,
    alarmTopicArn: context('alarmTopic'),
    throwAway: context('throwAway') === 'true',
    runtime: runtime === undefined ? undefined : new Runtime(runtime, RuntimeFamily.NODEJS),
  })
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app))
  // Not left to the end of the process: a mistake found only then would end as a stack.
  app.synth()
}
