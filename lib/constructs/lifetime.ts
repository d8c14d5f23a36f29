import { RemovalPolicy } from 'aws-cdk-lib'

/** What outlives the stack: everything, or, for a throw-away stack, nothing. Decided once, so no resource is forgotten. */
export interface Lifetime {
  readonly removalPolicy: RemovalPolicy
  readonly ofTables: { readonly removalPolicy: RemovalPolicy; readonly deletionProtection: boolean }
  readonly ofBuckets: { readonly removalPolicy: RemovalPolicy; readonly autoDeleteObjects: boolean }
}

export const lifetime = (throwAway: boolean): Lifetime => {
  const removalPolicy = throwAway ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN
  return {
    removalPolicy,
    ofTables: { removalPolicy, deletionProtection: !throwAway },
    ofBuckets: { removalPolicy, autoDeleteObjects: throwAway },
  }
}
