import { bodyFetching } from '../../functions/adapters/s3-and-dynamodb-bodies.ts'
import { millis } from '../../functions/domain/brands.ts'
import { bodyOwner } from '../../functions/domain/copies.ts'
import { BodyDamaged } from '../../functions/domain/kept-body.ts'
import type { KeptBody } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Rig } from './rig.ts'
import { NAMES } from './watch-writes.ts'

/** The body that a record says is kept, if it is there and whole: looked up past all faults, as somebody will find it then. */
export const bodyOf = async (
  { aws, timeline }: Rig,
  record: EventRecord,
  then: number = timeline.now,
): Promise<KeptBody | undefined> => {
  const { bodySha256, bodyAt } = record
  if (bodyAt === null) return undefined
  return bodyFetching(aws.aws, NAMES).fetch(bodyOwner(record), bodySha256, bodyAt, millis(then)).catch(orNone)
}

const orNone = (error: unknown): undefined => {
  if (!(error instanceof BodyDamaged)) throw error
}
