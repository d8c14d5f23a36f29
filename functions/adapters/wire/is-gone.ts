/** The fault of a receipt that is worth nothing any more: its message was deleted, or received again since. */
export const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  (GONE.has(error.name) || (error.name === 'InvalidParameterValue' && NAMED.test(error.message)))

const GONE: ReadonlySet<string> = new Set(['ReceiptHandleIsInvalid', 'MessageNotInflight'])

/** SQS says the same of a time that it does not take, and names the parameter. */
const NAMED = /for parameter ReceiptHandle is invalid/
