import { CreateBucketCommand, HeadBucketCommand, type S3Client } from '@aws-sdk/client-s3'

/** A restart on kept data finds the bucket there. */
export const createBucket = async (client: S3Client, Bucket: string): Promise<void> => {
  const exists = await client.send(new HeadBucketCommand({ Bucket })).then(
    () => true,
    () => false,
  )
  if (!exists) await client.send(new CreateBucketCommand({ Bucket }))
}
