import { consume } from '../../../functions/consume/consume.ts'

/** Our worker, whose handler reads the body and has nothing else to do. */
export const handler = consume(async event => void (await event.json()))
