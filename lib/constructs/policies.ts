import { ManagedPolicy } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import type { BodyBucket } from './body-bucket.ts'
import type { EventTables } from './event-tables.ts'
import type { EventQueue } from './queue.ts'

export interface PoliciesProps {
  readonly tables: EventTables
  readonly bucket: BodyBucket
  readonly queue: EventQueue
}

/**
 * What the CLI and the console need, to attach to operators. Bodies are customer data and a permission of their own:
 * whoever replays has all three.
 */
export class Policies extends Construct {
  /** List and show events, without their bodies. */
  readonly read: ManagedPolicy
  /** See bodies. */
  readonly bodies: ManagedPolicy
  /** Start a new generation of an event and put it on the queue. */
  readonly replay: ManagedPolicy

  constructor(scope: Construct, id: string, { tables, bucket, queue }: PoliciesProps) {
    super(scope, id)
    this.read = new ManagedPolicy(this, 'Read', {
      description: 'Hooklatch: list and show events, without their bodies',
    })
    tables.grantList(this.read)
    queue.grantMeasure(this.read)

    this.bodies = new ManagedPolicy(this, 'Bodies', { description: 'Hooklatch: see the bodies of events' })
    tables.grantReadBodies(this.bodies)
    bucket.grantRead(this.bodies)

    this.replay = new ManagedPolicy(this, 'Replay', { description: 'Hooklatch: replay events' })
    tables.grantReplay(this.replay)
    queue.grantSend(this.replay)
  }
}
