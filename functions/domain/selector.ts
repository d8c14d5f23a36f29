/**
 * Where a value is read from: `header:x-github-delivery`, `json:data.object.id`, `form:MessageSid`, `jwt:data.eventType`
 * (of a body that is a JWT; JSON inside its strings is read as well). In JSON, a dot that is part of a name has a backslash before it.
 */
export type Selector = `header:${string}` | `json:${string}` | `form:${string}` | `jwt:${string}`
