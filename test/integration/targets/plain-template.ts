import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
  waitUntilStackCreateComplete,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation'
import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { s3Client } from '../../../functions/adapters/sdk/clients.ts'
import { hooklatchWith } from '../../support/local-rig.ts'
import type { Target } from '../deployment.ts'
import { known, type Outputs } from './cdk.ts'
import { fitTemplate } from './fit-template.ts'
import { type OpenMiniStack, openMiniStack, printChanges } from './open-ministack.ts'

const ROOT = join(import.meta.dirname, '../../..')
const APP = `node ${join(import.meta.dirname, '../app.ts')}`
/** What the app makes without a prefix of its own. */
const MADE = 'hooklatch-it-http'
const PREFIX = 'webhooks/first/'

/**
 * What `hooklatch template` writes, on MiniStack and by CloudFormation alone: the zip files are put into a bucket as its README
 * says, and no bootstrap was run.
 */
export const plainTemplate = async (): Promise<Target> => {
  const emulator = await openMiniStack()
  const unique = randomBytes(4).toString('hex')
  const stack = `hooklatch-plain-${unique}`
  const client = new CloudFormationClient(emulator.config)
  const takeDown = async (): Promise<void> => {
    if (!emulator.isOurs) await remove(client, stack)
    await emulator.close()
  }
  try {
    const bucket = `somebodys-code-${unique}`
    await upload(await written(), bucket, emulator)
    const deployments = [emulator.deploymentOf(stack, await create(client, stack, bucket, emulator.config.endpoint))]
    return { deployments, comesBackAfterSeconds: 20, takeDown }
  } catch (error) {
    await takeDown()
    throw error
  }
}

type Files = ReadonlyMap<string, Uint8Array>

/** Every file but the README, with the template as MiniStack takes it. */
const written = async (): Promise<Files> => {
  const out = mkdtempSync(join(tmpdir(), 'hooklatch-plain-'))
  try {
    const {
      code,
      out: said,
      err,
    } = await hooklatchWith({}, ROOT, 'template', '--out', out, '--app', APP, '--stack', MADE)
    process.stdout.write(said)
    if (code !== 0) throw new Error(`hooklatch template ended with exit code ${code}: ${err}`)
    const names = readdirSync(out).filter(name => name !== 'README.md')
    const files = new Map(names.map(name => [name, new Uint8Array(readFileSync(join(out, name)))]))
    const { template, changes } = fitTemplate(JSON.parse(readFileSync(join(out, 'template.json'), 'utf8')))
    printChanges(changes)
    return files.set('template.json', Buffer.from(JSON.stringify(template)))
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

const upload = async (files: Files, Bucket: string, { config }: OpenMiniStack): Promise<void> => {
  const s3 = s3Client(config)
  await s3.send(new CreateBucketCommand({ Bucket }))
  for (const [name, Body] of files) await s3.send(new PutObjectCommand({ Bucket, Key: PREFIX + name, Body }))
}

const create = async (
  client: CloudFormationClient,
  StackName: string,
  bucket: string,
  endpoint: string,
): Promise<Outputs> => {
  await client.send(
    new CreateStackCommand({
      StackName,
      TemplateURL: `${endpoint}/${bucket}/${PREFIX}template.json`,
      Capabilities: ['CAPABILITY_IAM'],
      Parameters: [
        { ParameterKey: 'CodeBucket', ParameterValue: bucket },
        { ParameterKey: 'CodePrefix', ParameterValue: PREFIX },
      ],
    }),
  )
  await waitUntilStackCreateComplete({ client, maxWaitTime: 300, minDelay: 1, maxDelay: 2 }, { StackName })
  const { Stacks: [made] = [] } = await client.send(new DescribeStacksCommand({ StackName }))
  const outputs = (made?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue])
  return known({ [StackName]: Object.fromEntries(outputs) })[StackName] ?? {}
}

const remove = async (client: CloudFormationClient, StackName: string): Promise<void> => {
  await client.send(new DeleteStackCommand({ StackName }))
  await waitUntilStackDeleteComplete({ client, maxWaitTime: 300, minDelay: 1, maxDelay: 2 }, { StackName })
}
