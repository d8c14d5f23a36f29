import { readFault } from '../../functions/adapters/lean/json-protocol.ts'
import type { LocalCreating } from '../connect/local-clients.ts'

/** A restart on kept data finds the bucket there. */
export const createBucket = async ({ objects }: Pick<LocalCreating, 'objects'>, bucket: string): Promise<void> => {
  const ask = (method: 'HEAD' | 'PUT') => objects.call({ method, path: `/${bucket}`, headers: {}, body: '', readFault })
  const exists = await ask('HEAD').then(
    () => true,
    () => false,
  )
  if (!exists) await ask('PUT')
}
