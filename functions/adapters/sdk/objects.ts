import { GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import type { ObjectCalls } from '../wire/object-calls.ts'

export const sdkObjects = (client: S3Client): ObjectCalls => ({
  async putNew(Bucket, Key, { bytes, metadata }) {
    try {
      await client.send(new PutObjectCommand({ Bucket, Key, Body: bytes, IfNoneMatch: '*', Metadata: { ...metadata } }))
      return 'written'
    } catch (error) {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412) return 'exists'
      throw error
    }
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
