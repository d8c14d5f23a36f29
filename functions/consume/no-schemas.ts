import type { Schemas } from './with-schemas.ts'

/** `#schemas`, unless the construct puts the module of the sources in its place because one of them has a schema. */
export default {} satisfies Schemas as Schemas
