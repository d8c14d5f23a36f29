import { App, Stack } from 'aws-cdk-lib'
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager'
import { HostedZone, RecordSet, RecordTarget, RecordType } from 'aws-cdk-lib/aws-route53'
import { ReceiverStack } from '../../lib/index.ts'
import sources from './sources.ts'

const app = new App()
const env = { account: '111111111111', region: 'eu-central-1' }
const dns = new Stack(app, 'Dns', { env })
const zone = HostedZone.fromLookup(dns, 'Zone', { domainName: 'example.com' })
const name = 'hooks.example.com'
const certificate = new Certificate(dns, 'Certificate', {
  domainName: name,
  validation: CertificateValidation.fromDns(zone),
})

const stack = new ReceiverStack(app, 'Webhooks', {
  env,
  sources,
  worker: 'worker.ts',
  domain: { name, certificate },
  disableExecuteApiEndpoint: true,
})

const { domain } = stack.receiver.ingress.front
if (domain) {
  const target = RecordTarget.fromAlias({ bind: () => domain })
  new RecordSet(stack, 'Dns', { zone, recordName: name, recordType: RecordType.A, target })
}
