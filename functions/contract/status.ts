/** The life of one generation of an event, in order. A status never moves left within a generation. */
export const STATUSES = ['claimed', 'queued', 'working', 'done', 'failed'] as const

export type Status = (typeof STATUSES)[number]
