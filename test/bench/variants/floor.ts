import { createHmac, hash } from 'node:crypto'
import { Agent, request } from 'node:https'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { verified } from './verify.ts'

/*
 * The floor: verifies, reads both secrets, and makes the calls that we make, signed, with as many bytes. Nothing else: no
 * conditions of its own, no repeats, no deadline, no log. Without an HTTP client of one's own, nobody needs less.
 */

const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: key, AWS_REGION: region = '' } = process.env
const agent = new Agent({ keepAlive: true })
const keys = new Map<string, Buffer>()

const hmac = (by: string | Buffer, text: string): Buffer => createHmac('sha256', by).update(text).digest()

const signingKey = (service: string, day: string): Buffer => {
  const known = keys.get(service + day)
  if (known) return known
  const made = [region, service, 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${key}`, day))
  keys.set(service + day, made)
  return made
}

const call = (service: string, endpoint: string | undefined, target: string, version: string, body: string) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { host, hostname, port } = new URL(endpoint ?? '')
    const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
    const [day, type] = [date.slice(0, 8), `application/x-amz-json-${version}`]
    const names = 'content-type;host;x-amz-date;x-amz-target'
    const headers = `content-type:${type}\nhost:${host}\nx-amz-date:${date}\nx-amz-target:${target}\n`
    const scope = `${day}/${region}/${service}/aws4_request`
    const canonical = `POST\n/\n\n${headers}\n${names}\n${hash('sha256', body)}`
    const signature = hmac(
      signingKey(service, day),
      `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash('sha256', canonical)}`,
    )
    const sent = request(
      {
        hostname,
        port,
        method: 'POST',
        path: '/',
        agent,
        headers: {
          'content-type': type,
          host,
          'x-amz-date': date,
          'x-amz-target': target,
          authorization: `AWS4-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature.toString('hex')}`,
          'content-length': Buffer.byteLength(body),
        },
      },
      response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', more => (text += more))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })

const { AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL_SQS, AWS_ENDPOINT_URL_SECRETS_MANAGER } = process.env
const table = (operation: string, body: string) =>
  call('dynamodb', AWS_ENDPOINT_URL_DYNAMODB, `DynamoDB_20120810.${operation}`, '1.0', body)

const secret = async (name: string | undefined): Promise<string> => {
  const target = 'secretsmanager.GetSecretValue'
  const { text } = await call(
    'secretsmanager',
    AWS_ENDPOINT_URL_SECRETS_MANAGER,
    target,
    '1.1',
    `{"SecretId":"${name}"}`,
  )
  return JSON.parse(text).SecretString
}

const readSecrets = async () => ({
  signing: JSON.parse(await secret(process.env.HOOKLATCH_SIGNING_SECRETS)).shopify[0] as string,
  naming: await secret(process.env.HOOKLATCH_FINGERPRINT_KEY),
})
const secrets = readSecrets()

export const handler = async (event: APIGatewayProxyEventV2) => {
  const { signing, naming } = await secrets
  const body = verified(event, signing)
  if (!body) return { statusCode: 401 }
  const fingerprint = hmac(naming, event.headers['x-shopify-event-id'] ?? '').toString('hex')
  const { status } = await table('PutItem', put(fingerprint))
  if (status !== 200) return { statusCode: 200 }
  const queueUrl = process.env.HOOKLATCH_QUEUE_URL
  await call('sqs', AWS_ENDPOINT_URL_SQS, 'AmazonSQS.SendMessage', '1.0', send(queueUrl, body.toString('base64')))
  await table('UpdateItem', update(fingerprint))
  return { statusCode: 202 }
}

const filled = (bytes: number): string => 'x'.repeat(bytes)

/** As long as ours; the stub needs the names. */
const [PUT, SEND, UPDATE] = [filled(950), filled(890), filled(520)]

const put = (fingerprint: string): string =>
  `{"TableName":"events","Item":{"fingerprint":{"S":"${fingerprint}"},"rest":{"S":"${PUT}"}}}`

const send = (url: string | undefined, body: string): string => `{"QueueUrl":"${url}","MessageBody":"${SEND}${body}"}`

const update = (fingerprint: string): string =>
  `{"TableName":"events","Key":{"fingerprint":{"S":"${fingerprint}"}},"UpdateExpression":"SET rest = :rest","ExpressionAttributeValues":{":rest":{"S":"${UPDATE}"}}}`
