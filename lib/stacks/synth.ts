import { resolve } from 'node:path'
import { App, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import type { Destinations } from '../../functions/domain/destinations.ts'
import type { Sources } from '../../functions/domain/source.ts'
import { throwMistakes } from '../constructs/prop-rules.ts'
import { receiverMistakes } from '../constructs/receiver-props.ts'
import { contextMistakes, readContext } from './read-context.ts'
import { ReceiverStack } from './receiver-stack.ts'
import { sampleTable } from './sample-table.ts'

/** The whole app, from what stands on the command line (`-c name=value`). */
export const synth = (sources: Sources, app = new App(), destinations: Destinations = {}): void => {
  throwMistakes([...contextMistakes(app), ...receiverMistakes({ sources, sourcesModule, destinations })])
  const context = readContext(app)
  const stack = new ReceiverStack(app, `Hooklatch-${context.environment}`, {
    ...context,
    sources,
    sourcesModule,
    ...(Object.keys(destinations).length > 0 && { destinations }),
  })
  sampleTable(stack, context.throwAway)
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app))
  // Not left to the end of the process: a mistake found only then would end as a stack.
  app.synth()
}

const sourcesModule = resolve(import.meta.dirname, '../../sources.ts')
