import { Stack } from 'aws-cdk-lib'
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { ENVIRONMENT } from '../../functions/contract/environment.ts'
import { WORKER } from '../../functions/domain/destinations.ts'
import { allow } from './allow.ts'
import type { FunctionDefaults, NodeFunction } from './node-function.ts'

/** What hands the messages of each destination to its function. */
export type MappingsByName = Readonly<Record<string, readonly EventSourceMapping[]>>

/** Of the functions that can pause what hands messages over. */
export interface PausingProps extends FunctionDefaults {
  /** The file that takes the place of `#resolved`. */
  readonly sources: string
  /** What hands messages to the functions of destinations: each can be paused. */
  readonly mappings: MappingsByName
}

/** Those of the worker and of every destination. */
export const mappingsOf = (worker: Construct, destinations: Readonly<Record<string, Construct>>): MappingsByName =>
  Object.fromEntries(
    Object.entries({ [WORKER]: worker, ...destinations }).map(([name, home]) => [
      name,
      home.node.findAll().filter(isMapping),
    ]),
  )

const isMapping = (construct: unknown): construct is EventSourceMapping => construct instanceof EventSourceMapping

/** Lets a function stop them and start them again, and tells it which they are. */
export const grantPause = ({ function: made, role }: NodeFunction, mappings: MappingsByName): void => {
  const ids = Object.entries(mappings).map(([name, all]) => [name, all.map(each => each.eventSourceMappingId)])
  made.addEnvironment(ENVIRONMENT.mappings, Stack.of(made).toJsonString(Object.fromEntries(ids)))
  const arns = Object.values(mappings).flatMap(all => all.map(each => each.eventSourceMappingArn))
  allow(role, ['lambda:GetEventSourceMapping', 'lambda:UpdateEventSourceMapping'], arns)
}
