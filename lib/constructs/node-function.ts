import { findPackageJSON } from 'node:module'
import { dirname, resolve, sep } from 'node:path'
import { type Duration, Validations } from 'aws-cdk-lib'
import type { ISecurityGroup, IVpc, SubnetSelection } from 'aws-cdk-lib/aws-ec2'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import {
  ApplicationLogLevel,
  Architecture,
  type Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda'
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { type AwsClient, bundleSettings, fromRoot, ROOT } from './bundle-settings.ts'
import type { Lifetime } from './lifetime.ts'
import { grantNetwork } from './network.ts'

export interface NodeFunctionProps {
  /** Path of the module that exports `handler`: absolute, or of a source file of this package, from its root. */
  readonly entry: string
  readonly description: string
  readonly timeout: Duration
  readonly environment: Readonly<Record<string, string>>
  readonly lifetime: Lifetime
  /** Files that take the place of imports, such as `#resolved`; from the root of this package. @default - none */
  readonly aliases?: Readonly<Record<string, string>>
  /** It gets things ready before its first call, and Lambda has to wait for them: only an ES module can say so. @default false */
  readonly awaitsAtStart?: boolean
  /** In MB. At 128 MB Lambda gives 7 % of a CPU and a cold start takes seconds. @default 512 */
  readonly memorySize?: number | undefined
  /** @default Runtime.NODEJS_24_X */
  readonly runtime?: Runtime | undefined
  /** @default RetentionDays.ONE_MONTH */
  readonly logRetention?: RetentionDays | undefined
  /** @default - the account's unreserved concurrency */
  readonly reservedConcurrency?: number | undefined
  /** Of its logs. @default - that of CloudWatch Logs */
  readonly encryptionKey?: IKey | undefined
  /** @default - Lambda's own, with the Internet */
  readonly network?: Network | undefined
  /** Why it needs no dead-letter queue of its own. */
  readonly noDeadLetters: string
}

/** Where a function runs, if it is to reach what is inside. */
export interface Network {
  readonly vpc: IVpc
  readonly vpcSubnets?: SubnetSelection
  readonly securityGroups?: ISecurityGroup[]
}

/** What every function of a receiver is given alike. */
export interface FunctionDefaults
  extends Pick<NodeFunctionProps, 'lifetime' | 'runtime' | 'logRetention' | 'encryptionKey'> {
  /** @default 'lean' */
  readonly client?: AwsClient | undefined
}

/** A function with its own role, which may write to its own log group and, until something grants it more, nothing else. */
export class NodeFunction extends Construct {
  readonly function: LambdaFunction
  readonly role: Role

  constructor(scope: Construct, id: string, props: NodeFunctionProps) {
    super(scope, id)
    const logGroup = new LogGroup(this, 'Logs', {
      retention: props.logRetention ?? RetentionDays.ONE_MONTH,
      removalPolicy: props.lifetime.removalPolicy,
      ...(props.encryptionKey && { encryptionKey: props.encryptionKey }),
    })
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    logGroup.grantWrite(this.role)
    if (props.network) grantNetwork(this.role)

    const entry = fromRoot(props.entry)
    this.function = new NodejsFunction(this, 'Function', {
      description: props.description,
      entry,
      ...(isOurs(entry) && { projectRoot: dirname(MANIFEST), depsLockFilePath: MANIFEST }),
      bundling: bundling(props),
      runtime: props.runtime ?? Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memorySize ?? 512,
      timeout: props.timeout,
      environment: { ...props.environment },
      role: this.role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      // Leaves out start, end and report of every good invocation: more bytes than the one line we write ourselves.
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: Tracing.ACTIVE,
      ...props.network,
      ...(props.reservedConcurrency !== undefined && { reservedConcurrentExecutions: props.reservedConcurrency }),
    })
    this.acknowledge(props)
  }

  private acknowledge({ runtime, noDeadLetters }: NodeFunctionProps): void {
    Validations.of(this).acknowledge({ id: 'Serverless-LambdaDLQ', reason: noDeadLetters })
    Validations.of(this.role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'xray:PutTraceSegments and xray:PutTelemetryRecords, which have no resource type: docs.aws.amazon.com/service-authorization/latest/reference/list_awsx-ray.html',
    })
    if (runtime) {
      const reason = 'The owner of the stack chose this runtime, for a place that does not know the newest one.'
      Validations.of(this.function).acknowledge(
        { id: 'AwsSolutions-L1', reason },
        { id: 'Serverless-LambdaLatestVersion', reason },
      )
    }
  }
}

const bundling = ({ aliases = {}, awaitsAtStart = false }: NodeFunctionProps) => {
  const { format, banner, minify, supported, mainFields, alias } = bundleSettings(aliases, awaitsAtStart)
  return {
    format: format === 'esm' ? OutputFormat.ESM : OutputFormat.CJS,
    ...(banner && { banner: banner.js }),
    minify,
    mainFields: [...mainFields],
    sourceMap: false,
    externalModules: [],
    esbuildArgs: {
      '--alias': Object.entries(alias).map(([name, file]) => `${name}=${file}`),
      '--supported:arrow': String(supported.arrow),
    },
  }
}

/** CDK asks for a lock file in the project; nothing is installed from it, and a package has none. */
const MANIFEST = findPackageJSON(import.meta.url) ?? resolve(ROOT, 'package.json')

/** The project of any other entry is where `cdk` was started, as CDK finds it by its lock file. */
const isOurs = (entry: string): boolean => entry.startsWith(ROOT + sep)
