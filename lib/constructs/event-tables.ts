import { Validations } from 'aws-cdk-lib'
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb'
import type { IGrantable } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { Construct } from 'constructs'
import { BODIES_TABLE, EVENTS_TABLE } from '../../functions/contract/tables.ts'
import { allow } from './allow.ts'
import { grantKey, KEY_READ, KEY_WRITE } from './encryption.ts'
import type { Lifetime } from './lifetime.ts'

/** The records, and the small bodies. Two tables, since a body has a retention, a permission and a backup rule of its own. */
export class EventTables extends Construct {
  readonly events: Table
  readonly bodies: Table

  constructor(scope: Construct, id: string, lifetime: Lifetime, encryptionKey?: IKey) {
    super(scope, id)
    const { listingIndex } = EVENTS_TABLE
    const encryption = encryptionKey && { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey }

    // `Table` and not `TableV2`: cdk-nag checks backups only on the former, and replicas are no way for a table whose
    // conditional writes decide who owns an event.
    this.events = new Table(this, 'Events', {
      partitionKey: attribute(EVENTS_TABLE.partitionKey),
      timeToLiveAttribute: EVENTS_TABLE.timeToLive,
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: 35 },
      ...encryption,
      ...lifetime.ofTables,
    })
    this.events.addGlobalSecondaryIndex({
      indexName: listingIndex.name,
      partitionKey: attribute(listingIndex.partitionKey),
      sortKey: attribute(listingIndex.sortKey),
      projectionType: ProjectionType[listingIndex.projection],
    })

    this.bodies = new Table(this, 'Bodies', {
      partitionKey: attribute(BODIES_TABLE.partitionKey),
      sortKey: attribute(BODIES_TABLE.sortKey),
      timeToLiveAttribute: BODIES_TABLE.timeToLive,
      billingMode: BillingMode.PAY_PER_REQUEST,
      ...encryption,
      ...lifetime.ofTables,
    })
    Validations.of(this.bodies).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason: 'A backup of 35 days would outlive the retention that the source promised for its bodies.',
    })
  }

  get listingIndexArn(): string {
    return `${this.events.tableArn}/index/${EVENTS_TABLE.listingIndex.name}`
  }

  // Below, not `table.grant`: on a table with an index it adds `index/*`.

  /** Claim, take over, settle. A transaction of two puts needs no more. Nothing in the receiver deletes, scans or queries. */
  grantReceive(grantee: IGrantable): void {
    allow(grantee, ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:GetItem'], [this.events.tableArn])
    allow(grantee, ['dynamodb:UpdateItem'], [this.bodies.tableArn])
    this.grantKey(grantee, KEY_WRITE)
  }

  /** Take, finish, report, fail, recreate, commit; open a body that travels by pointer, keep that of a failed event. */
  grantConsume(grantee: IGrantable): void {
    allow(grantee, ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:GetItem'], [this.events.tableArn])
    allow(grantee, ['dynamodb:GetItem', 'dynamodb:UpdateItem'], [this.bodies.tableArn])
    this.grantKey(grantee, KEY_WRITE)
  }

  /** Walk the listing, take over, settle, fail; read the bodies that it sends. */
  grantRecover(grantee: IGrantable): void {
    allow(grantee, ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:GetItem'], [this.events.tableArn])
    allow(grantee, ['dynamodb:BatchGetItem'], [this.events.tableArn])
    allow(grantee, ['dynamodb:GetItem'], [this.bodies.tableArn])
    allow(grantee, ['dynamodb:Query'], [this.listingIndexArn])
    this.grantKey(grantee, KEY_WRITE)
  }

  /** The same for operators; a body that is replayed is kept anew, and all bodies of an event are found to erase them. */
  grantOperate(grantee: IGrantable): void {
    this.grantRecover(grantee)
    allow(grantee, ['dynamodb:UpdateItem', 'dynamodb:Query'], [this.bodies.tableArn])
  }

  grantList(grantee: IGrantable): void {
    allow(grantee, ['dynamodb:GetItem'], [this.events.tableArn])
    this.grantWalk(grantee)
  }

  /** The listing, for whoever can read single records anyway. */
  grantWalk(grantee: IGrantable): void {
    allow(grantee, ['dynamodb:BatchGetItem'], [this.events.tableArn])
    allow(grantee, ['dynamodb:Query'], [this.listingIndexArn])
    this.grantKey(grantee, KEY_READ)
  }

  /** One by one, and the kept deliveries of a source: quarantined or captured. */
  grantReadBodies(grantee: IGrantable): void {
    allow(grantee, ['dynamodb:GetItem', 'dynamodb:Query'], [this.bodies.tableArn])
    this.grantKey(grantee, KEY_READ)
  }

  private grantKey(grantee: IGrantable, actions: readonly string[]): void {
    grantKey(this.events.encryptionKey, 'dynamodb', grantee, actions)
  }
}

const attribute = ({ name, type }: { readonly name: string; readonly type: keyof typeof TYPES }) => ({
  name,
  type: TYPES[type],
})

const TYPES = { S: AttributeType.STRING, N: AttributeType.NUMBER } as const
