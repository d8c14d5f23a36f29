import type { ReceiverCalls } from './wire/aws-calls.ts'

export const REHEARSAL_SECRET = 'rehearsal'

/** AWS for a rehearsal: everything succeeds at once, and nothing leaves the process. */
export const rehearsalAws = (source: string): ReceiverCalls => ({
  dynamo: {
    putItem: async () => ({ kind: 'written', item: undefined }),
    updateItem: async () => ({ kind: 'written', item: undefined }),
    getItem: async () => undefined,
    transactWriteItems: async () => ({ kind: 'written' }),
  },
  queue: {
    sendMessage: async () => ({ kind: 'sent' }),
    sendMessageBatch: async () => ({ kind: 'sent', failed: new Map() }),
  },
  objects: { putNew: async () => 'written', put: async () => {} },
  secrets: {
    getSecret: async () => ({ text: JSON.stringify({ [source]: [REHEARSAL_SECRET] }), version: '', createdAt: null }),
    putPendingSecret: async () => '',
    makeSecretCurrent: async () => 'moved',
  },
  prime: async () => {},
})
