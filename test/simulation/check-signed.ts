import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'
import type { Outgoing } from '../../functions/adapters/lean/exchange.ts'
import { remembering } from '../../lib/memory-aws/expressions/remembering.ts'
import type { Rig } from './rig.ts'

const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=AKIASIMULATED\/(\d{8}\/eu-central-1\/\w+\/aws4_request), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/

/** AWS takes a signature that is up to five minutes off. */
const MOST_SKEW_MS = 300_000

/** As AWS looks at a request: it is signed, now, and with the secret of its key. */
export const checkSigned = ({ ledger, timeline }: Rig, request: Outgoing): void => {
  const { authorization = '', 'x-amz-date': date = '' } = request.headers
  if (ledger.checks % LOOKED_AT !== 0 && authorization !== '') return
  const [, scope = '', names = '', signature] = SIGNED.exec(authorization) ?? []
  ledger.check(
    'every request is signed, and when it is sent',
    signature !== undefined &&
      scope.startsWith(date.slice(0, 8)) &&
      Math.abs(instantOf(date) - timeline.now) < MOST_SKEW_MS,
    () => `${date} ${authorization}`,
  )
  ledger.check('every signature is that of its request', signature === signatureOf(request, names, scope), () => names)
}

const instantOf = remembering(date => Date.parse(date.replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5')))

/** Of so many requests one is looked at and signed again, to compare: that costs as much as the request itself. */
const LOOKED_AT = 5

const signatureOf = ({ method, path, headers, body }: Outgoing, names: string, scope: string): string => {
  const lines = names.split(';').map(name => `${name}:${headers[name]}\n`)
  const [name = '', query = ''] = path.split('?')
  const canonical = [method, name, query, lines.join(''), names, hash('sha256', body)].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash('sha256', canonical)].join('\n')
  return hmac(keyOf(scope), text).toString('hex')
}

const keyOf = remembering(scope =>
  scope.split('/').reduce((key, part) => createSecretKey(hmac(key, part)), createSecretKey('AWS4simulated', 'utf8')),
)

const hmac = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest()
