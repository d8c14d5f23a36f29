import { expect } from 'vitest'
import type { Resource } from './synth.ts'

/** What a policy allows, a line per action and resource, with logical ids read back as paths. */
export function allowed({ Properties }: Resource): string[] {
  const statements: { Effect: string; Action: string | string[]; Resource: unknown }[] =
    Properties.PolicyDocument.Statement
  expect(statements.every(({ Effect }) => Effect === 'Allow')).toBe(true)
  return statements
    .flatMap(({ Action, Resource }) =>
      [Action].flat().flatMap(action => [Resource].flat().map(resource => `${action} on ${pathOf(resource)}`)),
    )
    .toSorted()
}

export function everyPrefix(action: string, shortest = 1): string[] {
  const classes = [1, 7, 14, 30, 60, 90, 180, 365, 400].filter(days => days >= shortest)
  return classes.map(days => `${action} on Bodies/Bucket/${days}d/*`).toSorted()
}

export function refTo(prefix: string): unknown {
  return { Ref: expect.stringMatching(new RegExp(`^${prefix}[0-9A-F]{8}$`)) }
}

export function arnOf(prefix: string): unknown {
  return { 'Fn::GetAtt': [expect.stringMatching(new RegExp(`^${prefix}[0-9A-F]{8}$`)), 'Arn'] }
}

function pathOf(resource: unknown): string {
  if (typeof resource === 'string') return resource
  const intrinsic = resource as { Ref?: string; 'Fn::GetAtt'?: string[]; 'Fn::Join'?: [string, unknown[]] }
  if (intrinsic['Fn::Join']) return intrinsic['Fn::Join'][1].map(pathOf).join('')
  const id = intrinsic.Ref ?? intrinsic['Fn::GetAtt']?.[0] ?? ''
  return id.replace(PATH, '$1/$2')
}

const PATH =
  /^Receiver(Tables|Receive|Publish|Worker|Bury|Recover|Operate|Reconcile|Secrets|OrderedEvents|Events|Bodies|Destinations)(\w+)[0-9A-F]{8}$/
