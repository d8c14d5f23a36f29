import { afterAll, describe, expect, it } from 'vitest'
import { scriptedAws } from '../../support/scripted-aws.ts'

const server = await scriptedAws()
afterAll(server.stop)

const TOKEN = expect.stringMatching(/^[0-9a-f-]{36}$/)

describe.each(server.clients)('$name client', ({ name, aws: { secrets } }) => {
  const target = (operation: string) => `secretsmanager.${operation}`

  it.each([
    [1_763_208_000, 1_763_208_000_000],
    [1_763_208_000.5, 1_763_208_000_500],
    [1_763_208_000.123, 1_763_208_000_123],
    [1_763_208_000.001, 1_763_208_000_001],
    [1_763_208_009.29, 1_763_208_009_290],
  ])(`a secret of %d seconds is read by the ${name} client with its version and the millisecond %d`, async (at, ms) => {
    server.script({ body: { SecretString: 'text', VersionId: 'v-1', CreatedDate: at } })
    expect(await secrets.getSecret('signing')).toEqual({ text: 'text', version: 'v-1', createdAt: ms })
    expect(server.asked[0]?.operation).toBe(target('GetSecretValue'))
    expect(server.lastInput()).toEqual({ SecretId: 'signing' })
  })

  it(`a secret whose age is not told has none for the ${name} client`, async () => {
    server.script({ body: { SecretString: 'text', VersionId: 'v-1' } })
    expect(await secrets.getSecret('signing')).toEqual({ text: 'text', version: 'v-1', createdAt: null })
  })

  it(`a secret that holds no text is none for the ${name} client`, async () => {
    server.script({ body: { SecretBinary: 'AQI=', VersionId: 'v-1' } })
    expect(await secrets.getSecret('signing')).toBeUndefined()
  })

  it(`a secret is stored by the ${name} client under a token, so a repeat makes no second version`, async () => {
    server.script({ fault: 'InternalServiceError', status: 500 }, { body: { VersionId: 'v-2' } })
    expect(await secrets.putPendingSecret('signing', 'text')).toBe('v-2')
    const [first, second] = server.asked.map(({ body }) => JSON.parse(String(body)))
    expect(first).toMatchObject({ SecretId: 'signing', SecretString: 'text', ClientRequestToken: TOKEN })
    expect(second).toEqual(first)
  })

  it(`a version that is not current yet is stored by the ${name} client under a label of our own`, async () => {
    server.script({ body: { VersionId: 'v-2' } })
    expect(await secrets.putPendingSecret('signing', 'text')).toBe('v-2')
    expect(server.asked[0]?.operation).toBe(target('PutSecretValue'))
    expect(server.lastInput()).toEqual({
      SecretId: 'signing',
      SecretString: 'text',
      ClientRequestToken: TOKEN,
      VersionStages: ['HOOKLATCHPENDING'],
    })
  })

  it(`a version is made current by the ${name} client in the place of the one that was seen`, async () => {
    server.script({ body: {} })
    expect(await secrets.makeSecretCurrent('signing', 'v-2', 'v-1')).toBe('moved')
    expect(server.asked[0]?.operation).toBe(target('UpdateSecretVersionStage'))
    expect(server.lastInput()).toEqual({
      SecretId: 'signing',
      VersionStage: 'AWSCURRENT',
      MoveToVersionId: 'v-2',
      RemoveFromVersionId: 'v-1',
    })
  })

  it(`a version that is not current any more is told by the ${name} client as changed`, async () => {
    server.script({ fault: 'InvalidParameterException' })
    expect(await secrets.makeSecretCurrent('signing', 'v-2', 'v-1')).toBe('changed')
  })

  it.each([
    ['getSecret', () => secrets.getSecret('signing')],
    ['putPendingSecret', () => secrets.putPendingSecret('signing', 'text')],
    ['makeSecretCurrent', () => secrets.makeSecretCurrent('signing', 'v-2', 'v-1')],
  ])(`any other fault of %s is thrown by the ${name} client under its own name`, async (_, call) => {
    server.script({ fault: 'ResourceNotFoundException' })
    await expect(call()).rejects.toMatchObject({ name: 'ResourceNotFoundException', message: 'no' })
    expect(server.asked).toHaveLength(1)
  })
})
