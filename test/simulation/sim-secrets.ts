import { NAMES } from './watch-writes.ts'

export const SECRETS = {
  old: 'whsec_sim_old',
  new: 'whsec_sim_new',
  github: 'github-sim-secret',
  gocardless: 'gocardless-sim',
} as const

const listsWith = (stripe: readonly string[]): string =>
  JSON.stringify({ stripe, github: [SECRETS.github], gocardless: [SECRETS.gocardless] })

/** Where a schedule begins. */
export const FIRST_SECRETS = {
  [NAMES.signingSecrets]: listsWith([SECRETS.old]),
  [NAMES.fingerprintKey]: 'simulated-key',
} as const

/** The receiver knows the sender's next secret, and still the one before. */
export const ROTATED = listsWith([SECRETS.new, SECRETS.old])
