import { App, Stack } from 'aws-cdk-lib'
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager'
import { HostedZone, RecordSet, RecordTarget, RecordType } from 'aws-cdk-lib/aws-route53'
import { WebhookReceiver } from '../../lib/index.ts'
import sources from './sources.ts'

const stack = new Stack(new App(), 'Webhooks', { env: { account: '111111111111', region: 'eu-central-1' } })
const zone = HostedZone.fromLookup(stack, 'Zone', { domainName: 'example.com' })
const name = 'hooks.example.com'
const certificate = new Certificate(stack, 'Certificate', {
  domainName: name,
  validation: CertificateValidation.fromDns(zone),
})

const receiver = new WebhookReceiver(stack, 'Receiver', {
  sources,
  domain: { name, certificate },
  disableExecuteApiEndpoint: true,
})

const { domain } = receiver.ingress.front
if (domain) {
  const target = RecordTarget.fromAlias({ bind: () => domain })
  new RecordSet(stack, 'Dns', { zone, recordName: name, recordType: RecordType.A, target })
}
