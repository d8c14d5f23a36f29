import { App, Validations } from 'aws-cdk-lib'
import { Runtime, RuntimeFamily } from 'aws-cdk-lib/aws-lambda'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { ReceiverStack } from '../lib/stacks/receiver-stack.ts'
import sources from '../sources.ts'

// npx cdk deploy -c environment=staging -c api=rest -c throwAway=true -c runtime=nodejs22.x
const app = new App()
const context = (name: string): string | undefined => app.node.tryGetContext(name)

const api = context('api')
if (api !== undefined && api !== 'http' && api !== 'rest') throw new Error(`-c api=${api}: it is http or rest`)
const environment = context('environment') ?? 'production'
const runtime = context('runtime')

new ReceiverStack(app, `Hooklatch-${environment}`, {
  sources,
  environment,
  api,
  throwAway: context('throwAway') === 'true',
  runtime: runtime === undefined ? undefined : new Runtime(runtime, RuntimeFamily.NODEJS),
})

Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app))
