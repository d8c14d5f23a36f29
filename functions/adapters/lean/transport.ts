let secureContext: object | undefined

/** Of every connection. All of them have one TLS context: each of its own would take 0.2 ms. */
export const connectionOptions = ({ protocol }: URL): object => {
  if (protocol !== 'https:') return { keepAlive: true }
  secureContext ??= process.getBuiltinModule('node:tls').createSecureContext()
  return { keepAlive: true, secureContext }
}

/** Of Node's two, the one that an endpoint speaks: loading TLS is a quarter of a start, which a plain one need not pay. */
export const transportOf = ({ protocol }: URL): Pick<typeof import('node:http'), 'Agent' | 'request'> =>
  process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
