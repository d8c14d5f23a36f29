import type { Call, Registration } from '../sender-api.ts'

interface Calls {
  /** What a page is asked with. */
  readonly list?: Call['query']
  readonly create: Omit<Call, 'path'>
  readonly update: Omit<Call, 'path'> & Required<Pick<Call, 'method'>>
}

/** Endpoints as most APIs have them: listed and created at one path, changed and removed below it. */
export const collection = (
  path: string,
  { list, create, update }: Calls,
): Pick<Registration, 'list' | 'create' | 'update' | 'remove'> => ({
  list: { path, ...(list && { query: list }) },
  create: { method: 'POST', path, ...create },
  update: { path: `${path}/{hook}`, ...update },
  remove: { method: 'DELETE', path: `${path}/{hook}` },
})
