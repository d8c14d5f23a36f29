// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how CloudFormation writes references
import { expect, it } from 'vitest'
import { evaluate, type Scope } from '../../../lib/app/evaluate.ts'

const scope: Scope = {
  ref: name =>
    name === 'AWS::NoValue' ? { value: undefined } : name === 'Table' ? { value: 'invoices' } : { missing: name },
  attribute: (id, name) =>
    id === 'Table' && name === 'Arn' ? { value: 'arn:invoices' } : { missing: `${id}.${name}` },
  exported: name => (name === 'shared' ? { value: 'from-another-stack' } : { missing: name }),
  condition: name => ({ 'Fn::Equals': [name, 'IsProduction'] }),
  mapping: (...path) => path.join('/'),
}

it.each([
  ['a text', 'plain', 'plain'],
  ['a list in an object', { Keys: [{ Ref: 'Table' }, 2] }, { Keys: ['invoices', 2] }],
  ['Ref', { Ref: 'Table' }, 'invoices'],
  ['GetAtt as a list', { 'Fn::GetAtt': ['Table', 'Arn'] }, 'arn:invoices'],
  ['GetAtt as a text', { 'Fn::GetAtt': 'Table.Arn' }, 'arn:invoices'],
  ['Join', { 'Fn::Join': ['/', ['a', { Ref: 'Table' }, 'b']] }, 'a/invoices/b'],
  ['Sub', { 'Fn::Sub': 'x-${Table}-${Table.Arn}-${!Literal}' }, 'x-invoices-arn:invoices-${Literal}'],
  [
    'Sub with variables of its own',
    { 'Fn::Sub': ['${Mine}-${Table}', { Mine: { Ref: 'Table' } }] },
    'invoices-invoices',
  ],
  ['Split and Select', { 'Fn::Select': ['1', { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
  ['Base64', { 'Fn::Base64': { Ref: 'Table' } }, 'aW52b2ljZXM='],
  ['If that holds', { 'Fn::If': ['IsProduction', 'yes', { Ref: 'Gone' }] }, 'yes'],
  ['If that does not', { 'Fn::If': ['IsStaging', { Ref: 'Gone' }, 'no'] }, 'no'],
  ['And, Or and Not', { 'Fn::And': [{ 'Fn::Or': [false, true] }, { 'Fn::Not': [false] }] }, true],
  ['FindInMap', { 'Fn::FindInMap': ['Sizes', { Ref: 'Table' }, 'small'] }, 'Sizes/invoices/small'],
  ['ImportValue', { 'Fn::ImportValue': 'shared' }, 'from-another-stack'],
  ['NoValue in a list and in an object', { a: [{ Ref: 'AWS::NoValue' }, 1], b: { Ref: 'AWS::NoValue' } }, { a: [1] }],
])('%s is carried out as CloudFormation would', (_, value, expected) => {
  expect(evaluate(value, scope)).toEqual({ value: expected })
})

it.each([
  ['Ref', { Ref: 'Topic' }, 'Topic'],
  ['GetAtt', { 'Fn::GetAtt': ['Topic', 'TopicName'] }, 'Topic.TopicName'],
  ['a part of a Join', { 'Fn::Join': ['', ['https://', { 'Fn::GetAtt': ['Api', 'Endpoint'] }]] }, 'Api.Endpoint'],
  ['a part of a Sub', { 'Fn::Sub': '${Topic}' }, 'Topic'],
  ['an export of another app', { 'Fn::ImportValue': 'elsewhere' }, 'elsewhere'],
  ['a function that is not known', { 'Fn::GetAZs': '' }, 'Fn::GetAZs'],
])('%s that refers to what is not here says what that is', (_, value, missing) => {
  expect(evaluate({ deep: [value] }, scope)).toEqual({ missing })
})
