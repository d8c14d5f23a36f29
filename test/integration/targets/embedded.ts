import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Api } from '../../../lib/constructs/front.ts'
import { localSecret } from '../../../lib/local/destination-consumers.ts'
import { endLocals, startLocal, workplace } from '../../support/local-rig.ts'
import type { Deployment, Target } from '../deployment.ts'
import DESTINATIONS from '../destinations.ts'
import { openService } from '../service.ts'
import { requireLoopback } from './loopback.ts'

const here = (file: string): string => join(import.meta.dirname, '..', file)

/** `hooklatch start` as a user types it, once as each kind of API Gateway, each with its data on disk. */
export const embedded = async (): Promise<Target> => {
  const service = await openService()
  const takeDown = async (): Promise<void> => {
    endLocals()
    service.close()
  }
  try {
    const deployments = await Promise.all([local('http', service), local('rest', service)])
    return { deployments, comesBackAfterSeconds: 5, takeDown }
  } catch (error) {
    await takeDown()
    throw error
  }
}

const local = async (api: Api, service: Awaited<ReturnType<typeof openService>>): Promise<Deployment> => {
  const directory = workplace()
  const file = join(directory, 'secrets.json')
  writeFileSync(file, '{}')
  const files = ['--source-file', here('sources.ts'), '--worker', here('worker.ts'), '--secrets', file]
  const data = ['--data', mkdtempSync(join(directory, 'data-'))]
  const flags = [...files, ...data, '--api', api, '--recover-every', '2s']
  const { url, endpoints, resources } = await startLocal(directory, flags, 'node', {
    ...service.env,
    HOOKLATCH_TRIES: '2',
  })
  const { accessKey = '', ...addresses } = endpoints
  for (const address of [url, ...Object.values(addresses)]) requireLoopback(address)
  return {
    api,
    base: url,
    publishBase: url,
    ...resources,
    destinations: {
      crmUrl: (resources.destinations.crm ?? '').replace(/[^/]+$/, DESTINATIONS.crm.queue),
      service: { file: service.file, secret: { value: localSecret('legacy') } },
    },
    secrets: { file },
    namesCallers: true,
    keepsBytes: true,
    cli: { directory, flags: [], env: {} },
    region: 'us-east-1',
    credentials: { accessKeyId: accessKey, secretAccessKey: 'local' },
    endpoints: { ...addresses, secrets: url },
  }
}
