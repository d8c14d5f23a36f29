import type { MoveAnswer, Unavailable } from '../domain/ports.ts'
import type { Written } from './wire/dynamo-calls.ts'

/** What a conditional write by an owner came to. */
export const moved = (answer: Written | Unavailable): MoveAnswer => {
  if (answer.kind === 'unavailable') return answer
  return { kind: answer.kind === 'written' ? 'moved' : 'superseded' }
}
