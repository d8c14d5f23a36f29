import { ManagedPolicy } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import { queuesOf, type Stores } from './stores.ts'

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

  constructor(scope: Construct, id: string, stores: Stores) {
    super(scope, id)
    const { tables, bucket } = stores
    this.read = new ManagedPolicy(this, 'Read', {
      description: 'Hooklatch: list and show events, without their bodies',
    })
    tables.grantList(this.read)
    for (const queue of queuesOf(stores)) queue.grantMeasure(this.read)

    this.bodies = new ManagedPolicy(this, 'Bodies', { description: 'Hooklatch: see the bodies of events' })
    tables.grantReadBodies(this.bodies)
    bucket.grantRead(this.bodies)

    this.replay = new ManagedPolicy(this, 'Replay', { description: 'Hooklatch: replay events' })
    tables.grantReplay(this.replay)
    for (const queue of queuesOf(stores)) queue.grantSend(this.replay)
  }
}
