import { Validations } from 'aws-cdk-lib'
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb'
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import { BODIES_TABLE, EVENTS_TABLE } from '../../functions/contract/tables.ts'
import type { Lifetime } from './lifetime.ts'

/** The records, and the small bodies. Two tables, since a body has a retention, a permission and a backup rule of its own. */
export class EventTables extends Construct {
  readonly events: Table
  readonly bodies: Table

  constructor(scope: Construct, id: string, lifetime: Lifetime) {
    super(scope, id)
    const { listingIndex } = EVENTS_TABLE

    // `Table` and not `TableV2`: cdk-nag checks backups only on the former, and replicas are no way for a table whose
    // conditional writes decide who owns an event.
    this.events = new Table(this, 'Events', {
      partitionKey: attribute(EVENTS_TABLE.partitionKey),
      timeToLiveAttribute: EVENTS_TABLE.timeToLive,
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: 35 },
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

  /** Claim, take over, settle. A transaction of two puts needs no more. Nothing in the receiver deletes, scans or queries. */
  grantReceive(grantee: IGrantable): void {
    grant(grantee, this.events.tableArn, 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:GetItem')
    grant(grantee, this.bodies.tableArn, 'dynamodb:UpdateItem')
  }

  /** Take, finish, report, fail, recreate, commit; open a body that travels by pointer, keep that of a failed event. */
  grantConsume(grantee: IGrantable): void {
    grant(grantee, this.events.tableArn, 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:GetItem')
    grant(grantee, this.bodies.tableArn, 'dynamodb:GetItem', 'dynamodb:UpdateItem')
  }

  /** Walk the listing, take over, settle, fail; read the bodies that it sends. */
  grantRecover(grantee: IGrantable): void {
    grant(grantee, this.events.tableArn, 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:GetItem')
    grant(grantee, this.events.tableArn, 'dynamodb:BatchGetItem')
    grant(grantee, this.bodies.tableArn, 'dynamodb:GetItem')
    grant(grantee, this.listingIndexArn, 'dynamodb:Query')
  }

  /** The same for operators; a body that is replayed is kept anew. */
  grantOperate(grantee: IGrantable): void {
    this.grantRecover(grantee)
    grant(grantee, this.bodies.tableArn, 'dynamodb:UpdateItem')
  }

  grantList(grantee: IGrantable): void {
    grant(grantee, this.events.tableArn, 'dynamodb:GetItem', 'dynamodb:BatchGetItem')
    grant(grantee, this.listingIndexArn, 'dynamodb:Query')
  }

  /** One by one, and the kept deliveries of a source: quarantined or captured. */
  grantReadBodies(grantee: IGrantable): void {
    grant(grantee, this.bodies.tableArn, 'dynamodb:GetItem', 'dynamodb:Query')
  }
}

// Not `table.grant`: on a table with an index it adds `index/*`.
const grant = (grantee: IGrantable, resourceArn: string, ...actions: string[]): void =>
  Grant.addToPrincipal({ grantee, actions, resourceArns: [resourceArn] }).assertSuccess()

const attribute = ({ name, type }: { readonly name: string; readonly type: keyof typeof TYPES }) => ({
  name,
  type: TYPES[type],
})

const TYPES = { S: AttributeType.STRING, N: AttributeType.NUMBER } as const
