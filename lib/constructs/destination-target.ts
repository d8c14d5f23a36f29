import { Stack, Validations } from 'aws-cdk-lib'
import { EventBus, type IEventBus } from 'aws-cdk-lib/aws-events'
import type { Role } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import type { Destination } from '../../functions/domain/destinations.ts'
import { allow } from './allow.ts'
import { grantKey, KEY_READ } from './encryption.ts'
import type { Lifetime } from './lifetime.ts'

/** A resource of the app's own that a destination hands over to. */
export type Bound = IQueue | Pick<IEventBus, 'eventBusArn'>

interface Given {
  readonly bound: Bound | undefined
  readonly role: Role
  readonly lifetime: Lifetime
  readonly answerSeconds: number
  readonly encryptionKey: IKey | undefined
}

/** What the function of a destination is told of where it hands over to, and allowed to do there; nothing for a worker. */
export const targetOf = (scope: Construct, destination: Destination, given: Given): object | undefined => {
  if ('queue' in destination) return queueTarget(scope, destination.queue, given)
  if ('bus' in destination) return busTarget(scope, destination.bus, given)
  return 'url' in destination ? urlTarget(scope, destination, given) : undefined
}

const queueTarget = (scope: Construct, name: string, { bound, role }: Given) => {
  const queueArn = Stack.of(scope).formatArn({ service: 'sqs', resource: name })
  const queue = bound && 'queueArn' in bound ? bound : Queue.fromQueueArn(scope, 'Target', queueArn)
  // Not `grantSendMessages`: it adds reading the attributes of the queue.
  queue.grant(role, 'sqs:SendMessage').assertSuccess()
  queue.encryptionMasterKey?.grant(role, 'kms:GenerateDataKey', 'kms:Decrypt').assertSuccess()
  return { queueUrl: queue.queueUrl }
}

const busTarget = (scope: Construct, name: string, { bound, role }: Given) => {
  const bus = bound && 'eventBusArn' in bound ? bound : EventBus.fromEventBusName(scope, 'Target', name)
  allow(role, ['events:PutEvents'], [bus.eventBusArn])
  return { bus: bus.eventBusArn }
}

const urlTarget = (
  scope: Construct,
  { url, privateAddresses }: Extract<Destination, { url: string }>,
  { role, lifetime, answerSeconds, encryptionKey }: Given,
) => {
  // 44 letters and digits are base64 of 33 bytes, as Standard Webhooks ask. A changed generator would write a new one.
  const secret = new Secret(scope, 'SigningSecret', {
    description: `Hooklatch: what the events for ${scope.node.id} are signed with; for its receiver it is whsec_ and this`,
    generateSecretString: { passwordLength: 44, excludePunctuation: true },
    removalPolicy: lifetime.removalPolicy,
    ...(encryptionKey && { encryptionKey }),
  })
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason:
      'Sender and receiver have to change it together, so its owner does: the function reads it again every five minutes.',
  })
  allow(role, ['secretsmanager:GetSecretValue'], [secret.secretArn])
  grantKey(encryptionKey, 'secretsmanager', role, KEY_READ)
  return { url, timeoutSeconds: answerSeconds, privateAddresses: privateAddresses === true, secret: secret.secretArn }
}
