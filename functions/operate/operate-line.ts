import type { OperateReply } from './operate.ts'
import { readRequest } from './read-request.ts'

/** One line per command, for whoever looks into the log: who wanted what, and what came of it. Never the proof, nor an API key. */
export const operateLine = (environment: string, payload: unknown, reply: OperateReply, at: number): string => {
  const asked = readRequest(payload)
  return `${JSON.stringify({
    at: new Date(at).toISOString(),
    Environment: environment,
    ...(asked.kind === 'asked' && { operate: { ...asked.command, apiKey: undefined } }),
    ...(reply.kind === 'answered'
      ? { actor: reply.actor, answer: of('kind', reply.answer), cause: of('cause', reply.answer) }
      : { refused: reply.why }),
  })}\n`
}

const of = (name: 'kind' | 'cause', answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null ? (answer as Readonly<Record<string, unknown>>)[name] : undefined
