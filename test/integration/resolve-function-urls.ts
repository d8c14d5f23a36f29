import dns from 'node:dns'

/** What AWS calls the URLs of functions in the region of the emulators. */
export const FUNCTION_URL_NAMES = '*.lambda-url.us-east-1.on.aws'

const { lookup } = dns

/** In this process, names of function URLs are this machine: the emulator tells them apart, and callers sign for them. */
export const resolveFunctionUrls = (): void => {
  const addressOf = (host: string): string => (host.endsWith(FUNCTION_URL_NAMES.slice(1)) ? '127.0.0.1' : host)
  Object.assign(dns, {
    lookup: (host: string, ...rest: readonly unknown[]) => Reflect.apply(lookup, dns, [addressOf(host), ...rest]),
  })
}
