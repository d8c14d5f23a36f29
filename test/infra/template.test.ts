import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AppSettings, appSettings } from '../../lib/app/app-settings.ts'
import { isRefusal } from '../../lib/connect/refusal.ts'
import { makeTemplate } from '../../lib/template/make-template.ts'
import { plainTemplate } from '../../lib/template/plain-template.ts'
import { zipDirectory } from '../../lib/template/zip-directory.ts'
import { scratchDirectory } from '../support/scratch-directory.ts'
import type { Resource } from './synth.ts'

interface Plain {
  readonly Parameters: Record<string, { readonly Default?: string }>
  readonly Rules?: unknown
  readonly Conditions: Record<string, unknown>
  readonly Resources: Record<string, Resource>
}

const ROOT = resolve(import.meta.dirname, '../..')
const out = mkdtempSync(join(tmpdir(), 'hooklatch-'))
let template: Plain

beforeAll(async () => {
  const made = await makeTemplate(appSettings(ROOT, undefined) as AppSettings, undefined, out)
  expect(made).toMatchObject({ stack: 'Hooklatch-production', notes: [] })
  template = JSON.parse(readFileSync(join(out, 'template.json'), 'utf8'))
  // It bundles six functions, beside other tests.
}, 300_000)

afterAll(() => rmSync(out, { recursive: true, force: true }))

describe('a plain template', () => {
  it('a plain template asks for no bootstrap, and for a bucket, a prefix and a topic', () => {
    expect(Object.keys(template.Parameters)).toEqual(['CodeBucket', 'CodePrefix', 'AlarmTopicArn'])
    expect(template.Rules).toBeUndefined()
    expect(JSON.stringify(template)).not.toMatch(/bootstrap|cdk-hnb659fds/)
  })

  it('every function of a plain template finds its handler in a zip file beside it, and there is no other zip file', () => {
    const functions = Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function')
    const files = functions.map(({ Properties: { Code, Handler } }) => {
      expect(Code.S3Bucket).toEqual({ Ref: 'CodeBucket' })
      const file = /^\$\{CodePrefix\}([a-z-]+-[0-9a-f]{12}\.zip)$/.exec(Code.S3Key['Fn::Sub'])?.[1] ?? ''
      const modules = Object.keys(unzipSync(readFileSync(join(out, file))))
      expect(modules.map(module => module.replace(/\.m?js$/, '.handler'))).toContain(Handler)
      return file
    })
    expect(functions).toHaveLength(6)
    expect(readdirSync(out).toSorted()).toEqual(['README.md', 'template.json', ...files].toSorted())
  })

  it('in the sample for Terraform, the URL of the template has a hash of its content: Terraform sees no other change', () => {
    const sample = readFileSync(join(out, 'README.md'), 'utf8').split('With Terraform')[1] ?? ''
    expect(sample).toMatch(/"template\.json" = "template-\$\{filemd5\("\$\{local\.files\}\/template\.json"\)\}\.json"/)
    expect(sample).toMatch(/key += "PREFIX\/\$\{lookup\(local\.names, each\.value, each\.value\)\}"/)
    expect(sample).toMatch(/template_url = ".*\/\$\{aws_s3_object\.hooklatch\["template\.json"\]\.key\}"/)
  })

  it('an alarm notifies the topic of the parameter, unless the app has given it one', () => {
    const alarms = Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
    expect(alarms.length).toBeGreaterThan(10)
    const topic = { 'Fn::If': ['HasAlarmTopic', [{ Ref: 'AlarmTopicArn' }], { Ref: 'AWS::NoValue' }] }
    expect(alarms.every(({ Properties }) => JSON.stringify(Properties.AlarmActions) === JSON.stringify(topic))).toBe(
      true,
    )
    const Own = { Type: 'AWS::CloudWatch::Alarm', Properties: { AlarmActions: ['arn:aws:sns:eu-west-1:1:own'] } }
    expect(plainTemplate({ Resources: { Own } }, [])).toMatchObject({ Resources: { Own } })
  })

  it('a stack that needs more of a bootstrap than a bucket is refused by name', () => {
    const Image = { Type: 'X', Properties: { Uri: { 'Fn::Sub': 'cdk-hnb659fds-container-assets-1:a' } } }
    expect(plainTemplate({ Resources: { Image } }, [])).toMatchObject({
      refused: expect.stringContaining('cdk-hnb659fds-container-assets-1:a'),
    })
  })

  it('the same code gives the same bytes', () => {
    const directory = scratchDirectory()
    writeFileSync(join(directory, 'index.mjs'), 'export const handler = 1')
    expect(Buffer.compare(zipDirectory(directory), zipDirectory(directory))).toBe(0)
  })

  it('a directory with files of another kind is left as it is', async () => {
    const directory = scratchDirectory()
    writeFileSync(join(directory, 'main.tf'), 'mine')
    const made = await makeTemplate(appSettings(ROOT, undefined) as AppSettings, undefined, directory)
    expect(isRefusal(made) && made.refused).toContain('main.tf')
    expect(readdirSync(directory)).toEqual(['main.tf'])
    expect(existsSync(join(directory, 'template.json'))).toBe(false)
  })
})
