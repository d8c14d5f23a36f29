import { callerOf, type GatewayEvent } from './api-gateway.ts'

/**
 * Who calls, by what stands in front of the function: the IAM principal, the subject of a JWT (HTTP API or Cognito user pool), the id
 * of an API key. All of it was checked by API Gateway; none of it is a header that a client can write.
 */
export const AUTHORIZER_CALLERS = {
  iam: event => callerOf(event)?.id,
  jwt: event => subjectOf(event),
  'api-key': event => textOf(at(event, ['identity', 'apiKeyId'])),
} as const satisfies Record<string, (event: GatewayEvent) => string | undefined>

/** The kind is part of the name: a subject spelled like somebody's API key id is not that key. */
export const callerByAuthorizer = (event: GatewayEvent): string | undefined => {
  for (const [kind, read] of Object.entries(AUTHORIZER_CALLERS)) {
    const caller = read(event)
    if (caller !== undefined) return `${kind}:${caller}`
  }
  return undefined
}

/** A subject is unique for its issuer only. */
const subjectOf = (event: GatewayEvent): string | undefined => {
  const claims = at(event, ['authorizer', 'jwt', 'claims']) ?? at(event, ['authorizer', 'claims'])
  const subject = textOf(member(claims, 'sub'))
  return subject === undefined ? undefined : JSON.stringify([textOf(member(claims, 'iss')) ?? '', subject])
}

const at = (event: GatewayEvent, path: readonly string[]): unknown => path.reduce<unknown>(member, event.requestContext)

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
