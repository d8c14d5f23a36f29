import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { gunzipSync } from 'node:zlib'
import type { Resource } from './synth.ts'

type Resources = Readonly<Record<string, Resource>>

/** What CloudFormation would replace or delete: by the schema of its resource types that comes with the CDK's command line. */
export const replacedBy = (before: Resources, after: Resources): readonly string[] =>
  Object.entries(before).flatMap(([id, old]) => {
    const next = after[id]
    if (!next) return [`${id} is gone`]
    if (next.Type !== old.Type) return [`${id} is another type`]
    return changedProperties(old, next)
      .filter(name => replaces(old.Type, name))
      .map(name => `${id}.${name}`)
  })

export const changedProperties = ({ Properties: old = {} }: Resource, { Properties: next = {} }: Resource): string[] =>
  [...new Set([...Object.keys(old), ...Object.keys(next)])].filter(name => !isDeepStrictEqual(old[name], next[name]))

interface Schema {
  readonly cloudFormationType: string
  readonly properties: Readonly<Record<string, { readonly causesReplacement?: 'yes' | 'no' | 'maybe' }>>
}

const DATABASE = resolve(import.meta.dirname, '../../node_modules/aws-cdk/db.json.gz')
const { schema } = JSON.parse(gunzipSync(readFileSync(DATABASE)).toString('utf8'))
const TYPES = new Map(
  (Object.values(schema.resource.entities) as Schema[]).map(each => [each.cloudFormationType, each.properties]),
)

const replaces = (type: string, property: string): boolean => {
  const properties = TYPES.get(type)
  if (!properties?.[property]) throw new Error(`the schema does not know ${type}.${property}`)
  return (properties[property].causesReplacement ?? 'no') !== 'no'
}
