import {
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { ListedObject, ObjectCalls } from '../wire/object-calls.ts'

export const sdkObjects = (client: S3Client): ObjectCalls => ({
  async putNew(Bucket, Key, { bytes, metadata }) {
    const put = new PutObjectCommand({ Bucket, Key, Body: bytes, IfNoneMatch: '*', Metadata: { ...metadata } })
    // Inside the SDK's own repeats: closer to the answer than what makes them.
    put.middlewareStack.add(conflictIsRepeatable, { step: 'finalizeRequest', priority: 'low' })
    try {
      await client.send(put)
      return 'written'
    } catch (error) {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412) return 'exists'
      throw error
    }
  },

  async put(Bucket, Key, { bytes, metadata }) {
    await client.send(new PutObjectCommand({ Bucket, Key, Body: bytes, Metadata: { ...metadata } }))
  },

  async list(Bucket, Prefix) {
    const found: ListedObject[] = []
    let ContinuationToken: string | undefined
    do {
      const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }))
      found.push(...(page.Contents ?? []).flatMap(({ Key: key, Size = 0 }) => (key ? { key, size: Size } : [])))
      ContinuationToken = page.NextContinuationToken
    } while (ContinuationToken !== undefined)
    return found
  },

  async get(Bucket, Key) {
    try {
      const { Body, Metadata = {} } = await client.send(new GetObjectCommand({ Bucket, Key }))
      return { bytes: (await Body?.transformToByteArray()) ?? new Uint8Array(), metadata: Metadata }
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined
      throw error
    }
  },
})

type Around = <Call extends (...args: never[]) => Promise<unknown>>(next: Call) => Call

/** Two writers of one new object met, and S3 decided for neither: it asks for a repeat, and the SDK does not know that. */
const conflictIsRepeatable: Around = next =>
  (async (...args) => {
    try {
      return await next(...args)
    } catch (error) {
      const conflict = error instanceof S3ServiceException && error.name === 'ConditionalRequestConflict'
      throw conflict ? Object.assign(error, { $retryable: {} }) : error
    }
  }) as typeof next
