import { SECRET } from './deliveries.ts'
import type { Services } from './stub.ts'

/** What Lambda and the stack would set. */
export const environment = ({ dynamodb, sqs, secretsmanager }: Services): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'AKIABENCH',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
  AWS_ENDPOINT_URL_SQS: sqs,
  AWS_ENDPOINT_URL_S3: dynamodb,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsmanager,
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  BENCH_SECRET: SECRET,
  HOOKLATCH_ENVIRONMENT: 'production',
  HOOKLATCH_EVENTS_TABLE: 'events',
  HOOKLATCH_BODIES_TABLE: 'bodies',
  HOOKLATCH_BODIES_BUCKET: 'bodies',
  HOOKLATCH_QUEUE_URL: `${sqs}/000000000000/events`,
  HOOKLATCH_SIGNING_SECRETS: 'signing',
  HOOKLATCH_FINGERPRINT_KEY: 'key',
})
