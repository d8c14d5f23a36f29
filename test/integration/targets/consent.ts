export interface Consent {
  /** Where to. Nothing is done in any other account. */
  readonly account: string
  readonly region: string
  /** Of every stack of the run. */
  readonly prefix: string
}

/** What has to be said before anything is created in a real account; every omission in one sentence each. */
export const awsConsent = (env: NodeJS.ProcessEnv): Consent => {
  const { IT_AWS_CONSENT: account = '', IT_AWS_PREFIX: prefix = '', AWS_REGION: region = '' } = env
  const endpoints = Object.keys(env).filter(name => name.startsWith('AWS_ENDPOINT_URL') && env[name])
  const missing = [
    !/^\d{12}$/.test(account) &&
      'IT_AWS_CONSENT must be the 12 digits of the account in which stacks may be created and destroyed.',
    !/^[A-Za-z][A-Za-z0-9-]{2,30}$/.test(prefix) &&
      'IT_AWS_PREFIX must be what the names of those stacks begin with: a letter, then 2 to 30 letters, digits or hyphens.',
    !/^[a-z]{2}(-[a-z]+)+-\d$/.test(region) && 'AWS_REGION must name the region, such as eu-central-1.',
    endpoints.length > 0 && `${endpoints.join(', ')} must not be set: it would not be AWS.`,
  ].filter(sentence => sentence !== false)
  if (missing.length > 0) throw new Error(`IT_TARGET=aws was not asked for in full.\n- ${missing.join('\n- ')}`)
  return { account, region, prefix }
}

/** The credentials of the shell may be those of another account than the one that was named. */
export const requireAccount = ({ account }: Consent, actual: string | undefined): void => {
  if (actual === account) return
  throw new Error(`IT_AWS_CONSENT names account ${account}, and the credentials are of ${actual ?? 'no account'}.`)
}
