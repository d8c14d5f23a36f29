import { Fn, Names, Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'

/**
 * For the few resources that others must name before they exist. The tail comes from the stack's own id: it stays
 * through every update, and a resource retained by a deleted stack does not stand in the way of the next one.
 */
export const physicalName = (scope: Construct, maxLength: number): string => {
  return `${Names.uniqueResourceName(scope, { maxLength: maxLength - TAIL_LENGTH, separator: '-' })}-${stackTail(scope)}`
}

/** What all of these names of a stack end with. */
export const stackTail = (scope: Construct): string => {
  const stackUuid = Fn.select(2, Fn.split('/', Stack.of(scope).stackId))
  return Fn.select(0, Fn.split('-', stackUuid))
}

const TAIL_LENGTH = '-01234567'.length
