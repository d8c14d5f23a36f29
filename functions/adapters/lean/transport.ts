let secureContext: object | undefined

/** Of every connection. All of them have one TLS context: each of its own would take 0.2 ms. */
export const connectionOptions = ({ protocol }: URL): object => {
  if (protocol !== 'https:') return { keepAlive: true }
  secureContext ??= process.getBuiltinModule('node:tls').createSecureContext()
  return { keepAlive: true, secureContext }
}

/** Of Node's two, the one that an endpoint speaks: loading TLS is a quarter of a start, which a plain one need not pay. */
export const transportOf = ({ protocol }: URL): Pick<typeof import('node:http'), 'Agent' | 'request'> => {
  if (protocol !== 'https:') return process.getBuiltinModule('node:http')
  compileForHostNames()
  return process.getBuiltinModule('node:https')
}

const serverNames = new Map<string, string>()

/** What TLS is told of whom it wants to reach: a name, and nothing of an address. Without it Node works it out anew for each request: 4 us. */
export const serverNameOf = (host: string): string => {
  const known = serverNames.get(host)
  if (known !== undefined) return known
  const name = process.getBuiltinModule('node:net').isIP(host.replace(/^\[|\]$/g, '')) === 0 ? host : ''
  serverNames.set(host, name)
  return name
}

let compiled = false

/**
 * Node asks of every host name whether it is an IPv6 address, by a regular expression that V8 takes 4 ms of a start to
 * optimise. Without that it takes half a millisecond to compile, once for the interpreter and once to machine code.
 */
const compileForHostNames = (): void => {
  if (compiled) return
  compiled = true
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  const { isIPv6 } = process.getBuiltinModule('node:net')
  setFlagsFromString('--no-regexp-optimization')
  isIPv6('localhost')
  isIPv6('localhost')
  setFlagsFromString('--regexp-optimization')
}
