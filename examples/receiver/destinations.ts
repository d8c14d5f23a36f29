import type { Destinations } from 'hooklatch/providers'

/** Where events may go besides the worker, `name: { worker | queue | bus | url }`. The routes of a source lead there by name. */
export default {} satisfies Destinations
