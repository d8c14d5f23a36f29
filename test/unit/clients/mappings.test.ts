import { afterAll, describe, expect, it } from 'vitest'
import { lambdaMappings } from '../../../functions/adapters/lean/mappings.ts'
import { scriptedAws } from '../../support/scripted-aws.ts'

const server = await scriptedAws()
afterAll(server.stop)

const env = {
  AWS_ENDPOINT_URL_LAMBDA: server.endpoint,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret',
}
const mappings = lambdaMappings({ worker: ['id-1', 'id-2'], crm: ['id-3'] }, { env })
const asked = () => server.asked.map(({ operation, path, body }) => `${operation} ${path} ${body}`.trim())

describe('event source mappings', () => {
  it('a destination is disabled by one change of each of its mappings', async () => {
    server.script({ body: { State: 'Enabled' } })
    expect(await mappings.enable('worker', false)).toBe(true)
    expect(asked()).toEqual([
      'GET /2015-03-31/event-source-mappings/id-1',
      'PUT /2015-03-31/event-source-mappings/id-1 {"Enabled":false}',
      'GET /2015-03-31/event-source-mappings/id-2',
      'PUT /2015-03-31/event-source-mappings/id-2 {"Enabled":false}',
    ])
  })

  it.each([
    ['Disabled', false],
    ['Disabling', false],
    ['Enabled', true],
    ['Enabling', true],
  ])('a mapping that is %s is not asked to become that', async (State, enabled) => {
    server.script({ body: { State } })
    expect(await mappings.enable('crm', enabled)).toBe(false)
    expect(asked()).toEqual(['GET /2015-03-31/event-source-mappings/id-3'])
  })

  it('a destination without a mapping is asked for nothing', async () => {
    server.script({ body: { State: 'Enabled' } })
    await mappings.enable('nobody', false)
    expect(asked()).toEqual([])
  })

  it('a mapping that is being changed is a fault, which recovery meets again a minute later', async () => {
    server.script({ body: { State: 'Updating' } }, { fault: 'ResourceInUseException', status: 400 })
    await expect(mappings.enable('crm', true)).rejects.toMatchObject({ name: 'ResourceInUseException' })
  })
})
