import { MOST_REASON } from '../../../functions/operate/read-request.ts'
import { type Refusal, refuse } from '../../connect/refusal.ts'

/** How an act is wanted: why, without a question, told as JSON, or only tried. */
export interface How {
  readonly reason: string
  readonly yes: boolean
  readonly json: boolean
  readonly dryRun: boolean
}

interface HowFlags {
  readonly yes?: true
  readonly json?: true
  readonly 'dry-run'?: true
}

export const howOf = (flags: HowFlags, reason: string): How => ({
  reason,
  yes: flags.yes === true,
  json: flags.json === true,
  dryRun: flags['dry-run'] === true,
})

export const readReason = (text: string | undefined): string | Refusal => {
  const reason = text?.trim() ?? ''
  if (reason === '') return refuse('--reason is missing: say why. It is recorded with your name.', 2)
  return reason.length <= MOST_REASON
    ? reason
    : refuse(`--reason has ${reason.length} characters: expected at most ${MOST_REASON}.`, 2)
}
