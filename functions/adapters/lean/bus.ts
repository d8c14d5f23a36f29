import { serviceOf } from './aws.ts'
import type { Settings } from './caller.ts'
import { jsonCalls } from './json-protocol.ts'

interface PutAnswer {
  readonly FailedEntryCount?: number
  readonly Entries?: readonly { readonly ErrorCode?: string; readonly ErrorMessage?: string }[]
}

/** PutEvents of EventBridge, one entry a call. It answers 200 to an entry that it did not take, and says so inside. */
export const leanBus = (settings: Partial<Settings> = {}): ((entry: object) => Promise<void>) => {
  const call = jsonCalls(serviceOf('events', settings), 'AWSEvents', '1.1')
  return async entry => {
    const { FailedEntryCount = 0, Entries = [] } = await call<PutAnswer>('PutEvents', { Entries: [entry] })
    const [first] = Entries
    if (FailedEntryCount > 0 || first?.ErrorCode !== undefined) {
      throw new Error(`the bus did not take it: ${first?.ErrorCode ?? 'no reason'}: ${first?.ErrorMessage ?? ''}`)
    }
    // Without an entry in the answer nobody knows.
    if (first === undefined) throw new Error('the bus did not say whether it took the event')
  }
}
