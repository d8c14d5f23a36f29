import { bodyFetching } from '../../functions/adapters/s3-and-dynamodb-bodies.ts'
import type { KeptBody } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Rig } from './rig.ts'
import { NAMES } from './watch-writes.ts'

/** The body that a record says is kept, if it is there: looked up past all faults. */
export const bodyOf = async ({ aws, timeline }: Rig, record: EventRecord): Promise<KeptBody | undefined> => {
  const { fingerprint, bodySha256, bodyAt } = record
  return bodyAt === null ? undefined : bodyFetching(aws.aws, NAMES).fetch(fingerprint, bodySha256, bodyAt, timeline.now)
}
