import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Runtime, RuntimeFamily } from 'aws-cdk-lib/aws-lambda'
import type { Api } from '../../lib/constructs/ingress.ts'
import { ReceiverStack } from '../../lib/stacks/receiver-stack.ts'
import sources from './sources.ts'

// cdk deploy --app 'node test/integration/app.ts' -c prefix=hooklatch-it-1 -c apis=http,rest -c runtime=nodejs22.x
const app = new App()
const context = (name: string): string | undefined => app.node.tryGetContext(name)
const runtime = context('runtime')

for (const api of (context('apis') ?? 'http,rest').split(',') as Api[]) {
  new ReceiverStack(app, `${context('prefix') ?? 'hooklatch-it'}-${api}`, {
    sources,
    environment: 'integration',
    worker: join(import.meta.dirname, 'worker.ts'),
    api,
    throwAway: true,
    tries: 2,
    runtime: runtime === undefined ? undefined : new Runtime(runtime, RuntimeFamily.NODEJS),
  })
}
