import { writeLine } from '../adapters/system.ts'
import { awsWorld } from './aws-world.ts'
import { lambdaHandler } from './lambda.ts'

export const handler = lambdaHandler(awsWorld(), writeLine)
