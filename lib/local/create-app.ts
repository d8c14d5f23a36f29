import { planApp } from '../app/plan-app.ts'
import type { App } from '../app/read-app.ts'
import type { Endpoints, Resources } from '../connect/instance.ts'
import { credentialsOf, type LocalClients } from '../connect/local-clients.ts'
import { createAppResources } from './create-app-resources.ts'
import { giveEnvironment } from './worker-environment.ts'

interface Here {
  readonly clients: Pick<LocalClients, 'creating'>
  readonly resources: Resources
  readonly endpoints: Endpoints
  readonly deletesExpired: boolean
}

/** Creates what the app has of its own, and gives its worker the variables of its function. */
export const createApp = async (app: App, { clients, resources, endpoints, deletesExpired }: Here) => {
  const { region } = credentialsOf(endpoints)
  const plan = planApp(app, resources, { region, account: '000000000000', sqs: endpoints.sqs })
  await createAppResources(clients.creating, plan.resources, { deletesExpired })
  const tables = plan.resources.filter(({ service }) => service === 'table')
  return {
    /** The local name of each table, by its logical id. */
    tables: Object.fromEntries(tables.map(({ logicalId, name }) => [logicalId, name])),
    keyNames: new Map(tables.map(({ name, properties }) => [name, keysOf(properties.KeySchema)])),
    notes: plan.notes,
    /** Takes the variables out of this process again. */
    undo: giveEnvironment(plan.variables, endpoints),
  }
}

const keysOf = (schema: unknown): readonly string[] =>
  (schema as readonly { readonly AttributeName: string }[]).map(({ AttributeName }) => AttributeName)
