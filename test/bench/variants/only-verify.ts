import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { verified } from './verify.ts'

/** Verifies, and forgets. */
export const handler = async (event: APIGatewayProxyEventV2) => ({
  statusCode: verified(event, process.env.BENCH_SECRET ?? '') ? 202 : 401,
})
