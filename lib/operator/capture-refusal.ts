import type { CaptureAnswer } from './set-capture.ts'

type Refused = Exclude<CaptureAnswer, { readonly kind: 'set' }>

/** Why a capture was not switched on or off, as a sentence. */
export const captureRefusal = (answer: Refused): string => {
  switch (answer.kind) {
    case 'no-source':
      return `There is no source "${answer.source}".`
    case 'unsigned':
      return `The source "${answer.source}" has no signing secret, and the switch is stored with the secrets: it cannot be captured.`
    case 'never-retries':
      return `The sender of "${answer.source}" never retries: a drill would lose its events. Capture it without an answer of your own.`
    case 'gives-up':
      return `The sender of "${answer.source}" gives up after a 4xx: this drill would lose its events. Answer with 500 or higher.`
    case 'outlasts':
      return `The sender of "${answer.source}" retries for only ${answer.windowSeconds} seconds: a drill that long, or so soon after another one, would lose its events. Make it shorter, or wait.`
    case 'unavailable':
      return `Nothing was changed, because the secrets cannot be reached. ${answer.cause}`
  }
}
