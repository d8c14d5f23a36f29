import { App } from 'aws-cdk-lib'
import { Runtime, RuntimeFamily } from 'aws-cdk-lib/aws-lambda'
import type { Api } from '../../lib/constructs/front.ts'
import { suiteStack } from './suite-stack.ts'

// cdk deploy --app 'node test/integration/app.ts' -c prefix=hooklatch-it-1 -c apis=http,rest -c runtime=nodejs22.x -c destinations=yes -c reconciler=yes
const app = new App()
const context = (name: string): string | undefined => app.node.tryGetContext(name)
const runtime = context('runtime')

for (const api of (context('apis') ?? 'http,rest').split(',') as Api[]) {
  suiteStack(app, `${context('prefix') ?? 'hooklatch-it'}-${api}`, {
    api,
    throwAway: true,
    destinations: context('destinations') === 'yes',
    reconciler: context('reconciler') === 'yes',
    runtime: runtime === undefined ? undefined : new Runtime(runtime, RuntimeFamily.NODEJS),
  })
}
