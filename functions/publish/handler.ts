import { openAws } from '#aws'
import { writeLine } from '../adapters/system.ts'
import { awsWorld } from './aws-world.ts'
import { publishHandler } from './lambda.ts'

export const handler = publishHandler(awsWorld(openAws()), writeLine)
