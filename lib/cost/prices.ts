import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** List prices in dollars: of a million for everything that is counted, of one for everything by the month or by GB. */
export interface Prices {
  readonly region: string
  /** The day they were looked up. */
  readonly asOf: string
  /** For each 512 KB. */
  readonly httpApiRequest: number
  readonly restApiRequest: number
  readonly lambdaRequest: number
  /** arm64. */
  readonly lambdaGbSecond: number
  /** On demand. */
  readonly dynamodbWriteUnit: number
  readonly dynamodbReadUnit: number
  readonly dynamodbGbMonth: number
  readonly dynamodbBackupGbMonth: number
  /** For each 64 KB. */
  readonly sqsRequest: number
  readonly s3Put: number
  readonly s3GbMonth: number
  readonly logsGb: number
  readonly secretMonth: number
  readonly alarmMonth: number
  readonly dashboardMonth: number
  readonly metricMonth: number
  readonly kmsKeyMonth: number
  readonly kmsRequest: number
}

export const OUR_PRICES = join(import.meta.dirname, 'prices/us-east-1.json')

/** A price file; what it lacks is named. */
export const readPrices = (file: string = OUR_PRICES): Prices => {
  const given = JSON.parse(readFileSync(file, 'utf8'))
  const expected = JSON.parse(readFileSync(OUR_PRICES, 'utf8'))
  const wrong = Object.keys(expected).filter(name => typeof given[name] !== typeof expected[name])
  if (wrong.length > 0)
    throw new TypeError(`${file} is not a price file: ${wrong.join(', ')} missing or of another type`)
  return given
}
