import { expect, it } from 'vitest'
import { serverNameOf } from '../../../functions/adapters/lean/transport.ts'

it.each([
  ['sqs.eu-west-1.amazonaws.com', 'sqs.eu-west-1.amazonaws.com'],
  ['127.0.0.1', ''],
  ['[::1]', ''],
])('TLS is told of %s that it wants to reach "%s", the first time and again', (host, name) => {
  expect([serverNameOf(host), serverNameOf(host)]).toEqual([name, name])
})
