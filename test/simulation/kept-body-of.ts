import { bodyFetching } from '../../functions/adapters/s3-and-dynamodb-bodies.ts'
import { bodyOwner } from '../../functions/domain/copies.ts'
import { BodyDamaged } from '../../functions/domain/kept-body.ts'
import type { KeptBody } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Rig } from './rig.ts'
import { NAMES } from './watch-writes.ts'

/** The body that a record says is kept, if it is there and whole: looked up past all faults. */
export const bodyOf = async ({ aws, timeline }: Rig, record: EventRecord): Promise<KeptBody | undefined> => {
  const { bodySha256, bodyAt } = record
  if (bodyAt === null) return undefined
  return bodyFetching(aws.aws, NAMES).fetch(bodyOwner(record), bodySha256, bodyAt, timeline.now).catch(orNone)
}

const orNone = (error: unknown): undefined => {
  if (!(error instanceof BodyDamaged)) throw error
}
