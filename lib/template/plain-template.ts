import { type Refusal, refuse } from '../connect/refusal.ts'
import type { FileAsset } from './read-assets.ts'

type Json = Readonly<Record<string, unknown>>

/** A template that CloudFormation takes as it is: no bootstrap, the code in a bucket that a parameter names. */
export const plainTemplate = (template: Json, assets: readonly FileAsset[]): Json | Refusal => {
  const { Rules, ...rest } = replaceAssets(template, assets) as Json
  const plain = withAlarmTopic({
    ...rest,
    ...optional('Rules', without(Rules, 'CheckBootstrapVersion')),
    Parameters: { ...PARAMETERS, ...without(template.Parameters, 'BootstrapVersion') },
  })
  const left = BOOTSTRAP.exec(JSON.stringify(plain))
  if (left === null) return plain
  return refuse(`The stack needs what \`cdk bootstrap\` makes (${left[0]}), so it cannot be a plain template.`)
}

/** What differs from one account to another. */
const PARAMETERS = {
  CodeBucket: {
    Type: 'String',
    AllowedPattern: '[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]',
    Description: 'The bucket that has the zip files of the functions, in the region of this stack',
  },
  CodePrefix: {
    Type: 'String',
    Default: '',
    AllowedPattern: '([^/].*/)?',
    Description: 'What stands before their names in the bucket: nothing, or a path that ends with a slash',
  },
  AlarmTopicArn: {
    Type: 'String',
    Default: '',
    AllowedPattern: '(arn:[^:]+:sns:.+)?',
    Description: 'The SNS topic that alarms notify; nothing for no notification',
  },
} as const

const BOOTSTRAP = /cdk-[a-z0-9]+-(?:assets|container-assets)-[^"]*|\/cdk-bootstrap\/[^"]*/

const replaceAssets = (value: unknown, assets: readonly FileAsset[]): unknown => {
  if (typeof value === 'string') return replaceText(value, assets)
  if (Array.isArray(value)) return value.map(each => replaceAssets(each, assets))
  if (typeof value !== 'object' || value === null) return value
  const text = textOf(value)
  const replaced = text === undefined ? undefined : replaceText(text, assets)
  if (replaced !== undefined && replaced !== text) return replaced
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaceAssets(each, assets)]))
}

const replaceText = (text: string, assets: readonly FileAsset[]): unknown => {
  if (assets.some(({ bucket }) => bucket === text)) return { Ref: 'CodeBucket' }
  const asset = assets.find(({ key }) => key === text)
  return asset === undefined ? text : { 'Fn::Sub': `\${CodePrefix}${asset.file}` }
}

/** `{ "Fn::Sub": "..." }` and nothing else. */
const textOf = (value: object): string | undefined => {
  const { 'Fn::Sub': text, ...others } = value as { 'Fn::Sub'?: unknown }
  return typeof text === 'string' && Object.keys(others).length === 0 ? text : undefined
}

/** An alarm that the app gave a topic already keeps it. */
const withAlarmTopic = (template: Json): Json => {
  const resources = Object.entries((template.Resources ?? {}) as Record<string, Resource>)
  const notifies = { 'Fn::If': ['HasAlarmTopic', [{ Ref: 'AlarmTopicArn' }], { Ref: 'AWS::NoValue' }] }
  return {
    ...template,
    Conditions: {
      ...(template.Conditions as Json),
      HasAlarmTopic: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'AlarmTopicArn' }, ''] }] },
    },
    Resources: Object.fromEntries(
      resources.map(([id, resource]) => {
        if (resource.Type !== 'AWS::CloudWatch::Alarm' || resource.Properties.AlarmActions) return [id, resource]
        const Properties = { ...resource.Properties, AlarmActions: notifies, OKActions: notifies }
        return [id, { ...resource, Properties }]
      }),
    ),
  }
}

interface Resource {
  readonly Type: string
  readonly Properties: Json
}

const without = (value: unknown, name: string): Json => {
  const { [name]: _, ...others } = Object(value)
  return others
}

const optional = (name: string, value: Json): Json => (Object.keys(value).length > 0 ? { [name]: value } : {})
