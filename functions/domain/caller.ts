/** Who called, as the authorizer in front of a function says: nothing a client can write into its request. */
export interface Caller {
  /** IAM's unique id without the session name, so a retry from another instance is the same caller. */
  readonly id: string
  readonly accountId: string
  readonly arn: string
}

/** `AROA...:session` is a role and one of its sessions. What is before the colon of a federated user is only its account. */
export const withoutSession = (uniqueId: string): string =>
  uniqueId.startsWith('AROA') ? (uniqueId.split(':', 1)[0] ?? '') : uniqueId

/** `*`, or a list of unique ids, account ids, and ARNs of roles and users. */
export type Allowed = '*' | readonly string[]

export const isAllowed = (allowed: Allowed, caller: Caller): boolean =>
  allowed === '*' || allowed.some(principal => names(principal, caller))

const names = (principal: string, caller: Caller): boolean =>
  principal === caller.id || principal === caller.accountId || sameArn(principal, caller.arn)

/** A session's ARN has lost the path of its role; a role's name is unique in its account whatever its path. */
const sameArn = (principal: string, arn: string): boolean => {
  const [, partition, account, session] = SESSION.exec(arn) ?? []
  if (session === undefined) return principal === arn
  const [, ofPartition, ofAccount, role] = ROLE.exec(principal) ?? []
  return role === session && ofAccount === account && ofPartition === partition
}

const SESSION = /^arn:([\w-]+):sts::(\d{12}):assumed-role\/([^/]+)\/[^/]+$/
const ROLE = /^arn:([\w-]+):iam::(\d{12}):role\/(?:[^/]+\/)*([^/]+)$/

/** What an `allow` list may hold. */
export const isPrincipal = (value: unknown): boolean =>
  typeof value === 'string' && (UNIQUE_ID.test(value) || ROLE.test(value) || USER.test(value))

const USER = /^arn:[\w-]+:iam::\d{12}:(?:user\/.+|root)$/
/** Of a role or user, of an account, or on a laptop whatever access key id the caller chose. */
const UNIQUE_ID = /^[\w.-]{1,128}$/
