import type { Fingerprint } from './brands.ts'
import { sha256 } from './identity.ts'
import type { EventRecord } from './record.ts'

/** A copy is an event of its own, named by the event and the destination: who makes it twice meets the first. */
export const copyId = (of: Fingerprint, destination: string): Fingerprint =>
  sha256(Buffer.from(`copy of ${of} for ${destination}`)) as string as Fingerprint

/** Whose body it has: copies point to the body of their event. */
export const bodyOwner = ({ fingerprint, copyOf }: Pick<EventRecord, 'fingerprint' | 'copyOf'>): Fingerprint =>
  copyOf ?? fingerprint

/** Which generation and edition of its event a copy is of. The first edition is not stored. */
export const makingOf = ({ generation, edition }: EventRecord): Pick<EventRecord, 'madeBy' | 'madeIn'> => ({
  madeBy: generation,
  ...(edition > 0 && { madeIn: edition }),
})

/** Several destinations: the event itself is done when its copies are on their way. */
export const hasCopies = ({ to }: Pick<EventRecord, 'to'>): boolean => to.length > 1
