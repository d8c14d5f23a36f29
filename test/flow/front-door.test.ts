import type { APIGatewayProxyEvent, APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { describe, expect, it } from 'vitest'
import type { GatewayEvent } from '../../functions/adapters/api-gateway.ts'
import { lambdaHandler } from '../../functions/receive/lambda.ts'
import { functionUrlEvent, httpApiEvent, restApiEvent } from '../../lib/local/gateway-events.ts'
import { NOON } from '../support/events.ts'
import { type Post, receiveRig, STRIPE_SECRET, stripeHeader } from '../support/receive-rig.ts'

const EXECUTE_API = 'abc123.execute-api.eu-west-1.amazonaws.com'
const BODY = '{"id":"evt_1","type":"invoice.paid"}'
const signature = stripeHeader(BODY, STRIPE_SECRET, NOON)

describe('the route of a source', () => {
  const request = {
    method: 'POST',
    path: '/webhooks/stripe',
    query: '',
    headers: [['stripe-signature', signature]] as const,
    body: Buffer.from(BODY),
    source: 'stripe',
    requestId: 'r',
    sourceIp: '203.0.113.7',
    at: new Date(NOON),
  }
  /** As API Gateway tells a request to a route without a variable. */
  const toOwnRoute = {
    http: (): GatewayEvent => {
      const { pathParameters, ...event }: APIGatewayProxyEventV2 = httpApiEvent(request)
      return { ...event, routeKey: 'ANY /webhooks/stripe' }
    },
    rest: (): GatewayEvent => {
      const event: APIGatewayProxyEvent = restApiEvent(request)
      return { ...event, resource: '/webhooks/stripe', pathParameters: null }
    },
  }

  it.each(['http', 'rest'] as const)('a delivery to the own route of a source is accepted (%s API)', async api => {
    const { world, messages } = receiveRig()
    const { statusCode } = await lambdaHandler(world, () => {})(toOwnRoute[api](), {} as Context)
    expect(statusCode).toBe(202)
    expect(messages()).toMatchObject([{ source: 'stripe' }])
  })

  it.each([
    ['/webhooks/stripe', 202],
    ['/', 404],
    ['/stripe', 404],
    ['/webhooks/', 404],
    ['/webhooks/stripe/', 404],
    ['/webhooks/stripe/x', 404],
    ['//webhooks/stripe', 404],
    ['/x/webhooks/stripe', 404],
    ['/hooks/stripe', 404],
    ['/webhooks/__proto__', 404],
  ])('the function behind a URL gets every path, and %s is a %i', async (path, status) => {
    const handler = lambdaHandler(receiveRig().world, () => {})
    expect((await handler(functionUrlEvent({ ...request, path }), {} as Context)).statusCode).toBe(status)
  })
})

describe('deliveries that come to the execute-api address', () => {
  const counted = async (post: Post, domain?: string) => {
    const { post: send, lines } = receiveRig({ world: { domain } })
    await send({ ...post, headers: { 'stripe-signature': signature, ...post.headers } })
    const line = JSON.parse(lines[0] ?? '{}')
    const [directive = { Metrics: [] }] = line._aws.CloudWatchMetrics ?? []
    const metrics = directive.Metrics.map(({ Name }: { Name: string }) => Name)
    return { ExecuteApi: line.ExecuteApi, isMetric: metrics.includes('ExecuteApi') }
  }
  const NOT_COUNTED = { ExecuteApi: undefined, isMetric: false }

  it.each(['v1', 'v2'] as const)(
    'with a domain, a delivery that comes to the execute-api address is counted (payload %s)',
    async format => {
      expect(await counted({ body: BODY, format, headers: { host: EXECUTE_API } }, 'hooks.example.com')).toEqual({
        ExecuteApi: 1,
        isMetric: true,
      })
    },
  )

  it('a delivery that comes to the domain is not counted', async () => {
    expect(await counted({ body: BODY }, 'hooks.example.com')).toEqual(NOT_COUNTED)
  })

  it('without a domain there is no other address, and nothing is counted', async () => {
    expect(await counted({ body: BODY, headers: { host: EXECUTE_API } })).toEqual(NOT_COUNTED)
  })

  it('a forged delivery is not counted, so a stranger cannot keep the address open', async () => {
    expect(await counted({ body: `${BODY} `, headers: { host: EXECUTE_API } }, 'hooks.example.com')).toEqual(
      NOT_COUNTED,
    )
  })
})
