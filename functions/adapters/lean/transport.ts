/** Of Node's two, the one that an endpoint speaks: loading TLS is a quarter of a start, which a plain one need not pay. */
export const transportOf = ({ protocol }: URL): Pick<typeof import('node:http'), 'Agent' | 'request'> =>
  process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
