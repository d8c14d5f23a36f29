import { describe, expect, it } from 'vitest'
import { causeOf, faultText } from '../../../functions/domain/fault.ts'
import { clip } from '../../../functions/domain/record.ts'

const denied = (resource: string): Error =>
  Object.assign(
    new Error(
      `User: arn:aws:sts::123456789012:assumed-role/Hooklatch-production-ReceiverWorkerServiceRole1A2B3C4D-aBcDeFgHiJkL/Hooklatch-production-ReceiverWorker is not authorized to perform: dynamodb:PutItem on resource: ${resource} because no identity-based policy allows the dynamodb:PutItem action`,
    ),
    { name: 'AccessDeniedException' },
  )

describe('what is told of a fault', () => {
  it('a denial still names its action and its table in the 120 bytes that a record has', () => {
    const told = clip(
      'lastError',
      faultText(denied('arn:aws:dynamodb:eu-central-1:123456789012:table/Shop-InvoicesTable')),
    )
    expect(told).toMatch(
      /^AccessDeniedException: no permission for dynamodb:PutItem on table\/Shop-InvoicesTable because /,
    )
  })

  it('a denial of S3, which quotes its resource, names the whole bucket in the 120 bytes that a record has', () => {
    const bucket = 'hooklatch-production-receiverbodiesbucket51bee49a-1a2b3c4d5e6f7'
    const refused = new Error(
      `User: arn:aws:sts::123456789012:assumed-role/role/f is not authorized to perform: s3:PutObject on resource: "arn:aws:s3:::${bucket}/14d/1f2e" because no identity-based policy allows the s3:PutObject action`,
    )
    const told = faultText(Object.assign(refused, { name: 'AccessDenied' }))
    expect(told).toContain(`AccessDenied: no permission for s3:PutObject on ${bucket}/14d/1f2e because `)
    expect(clip('lastError', told)).toContain(`${bucket}/`)
  })

  it('a denial names its resource also if that is no ARN', () => {
    expect(faultText(denied('*'))).toMatch(/^AccessDeniedException: no permission for dynamodb:PutItem on \* because /)
  })

  it.each([
    '{"SecretString": whsec_0123456789}',
    `{"customer": "ada", "card": ${'4242'.repeat(30)}x, "more": 1}`,
    'whsec_0123456789\nwhsec_0123456789'.repeat(9),
  ])('what JSON.parse could not read is quoted by no log line and no record: %s', text => {
    const thrown = (() => {
      try {
        return JSON.parse(text)
      } catch (error) {
        return error as Error
      }
    })()
    expect(causeOf(thrown)).toMatch(/^SyntaxError: /)
    expect(causeOf(thrown)).not.toMatch(/whsec|4242/)
  })

  it('another fault is told as it is, and a long one is cut', () => {
    expect(causeOf(new TypeError('x is not a function'))).toBe('TypeError: x is not a function')
    expect(causeOf(new Error('x'.repeat(1_000)))).toHaveLength(300)
    expect(causeOf('text')).toBe('not an Error')
  })
})
