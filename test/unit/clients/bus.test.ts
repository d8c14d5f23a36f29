import { afterAll, describe, expect, it } from 'vitest'
import { leanBus } from '../../../functions/adapters/lean/bus.ts'
import { scriptedAws } from '../../support/scripted-aws.ts'

const server = await scriptedAws()
afterAll(server.stop)

const env = {
  AWS_ENDPOINT_URL_EVENTBRIDGE: server.endpoint,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret',
}
const put = leanBus({ env })
const ENTRY = { EventBusName: 'company', Source: 'hooklatch.stripe', DetailType: 'invoice.paid', Detail: '{}', Time: 1 }

describe('PutEvents', () => {
  it('an event is put on its bus in one signed call', async () => {
    server.script({ body: { FailedEntryCount: 0, Entries: [{ EventId: '1' }] } })
    await put(ENTRY)
    expect(server.asked[0]?.operation).toBe('AWSEvents.PutEvents')
    expect(server.asked[0]?.headers.authorization).toContain('/us-east-1/events/aws4_request')
    expect(server.lastInput()).toEqual({ Entries: [ENTRY] })
  })

  it('an entry that the bus did not take fails the try, though the call was answered 200', async () => {
    const failed = { ErrorCode: 'ThrottlingException', ErrorMessage: 'slow down' }
    server.script({ body: { FailedEntryCount: 1, Entries: [failed] } })
    await expect(put(ENTRY)).rejects.toThrow('the bus did not take it: ThrottlingException: slow down')
  })

  it('an entry that did not go counts even if the bus names no reason, or counts none', async () => {
    server.script({ body: { FailedEntryCount: 1, Entries: [] } })
    await expect(put(ENTRY)).rejects.toThrow('the bus did not take it: no reason: ')
    server.script({ body: { FailedEntryCount: 1, Entries: [{}] } })
    await expect(put(ENTRY)).rejects.toThrow('the bus did not take it: no reason: ')
    server.script({ body: { FailedEntryCount: 0, Entries: [{ ErrorCode: 'InternalFailure' }] } })
    await expect(put(ENTRY)).rejects.toThrow('the bus did not take it: InternalFailure: ')
  })

  it('an answer that says nothing of the event fails the try', async () => {
    server.script({ body: {} })
    await expect(put(ENTRY)).rejects.toThrow('did not say')
  })

  it('a bus that refuses the call fails the try', async () => {
    server.script({ fault: 'AccessDeniedException', status: 400 })
    await expect(put(ENTRY)).rejects.toMatchObject({ name: 'AccessDeniedException' })
  })
})
