import type { Incoming, Outgoing } from '../../functions/adapters/lean/exchange.ts'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import type { ListedObject } from '../../functions/adapters/wire/object-calls.ts'

const META = 'x-amz-meta-'

/** S3's part: a bucket is a host, and what it says of an error is XML. */
export const answerObject = async (
  { objects }: AwsCalls,
  { url, path, method, headers, body }: Outgoing,
): Promise<Incoming> => {
  const bucket = url.host.slice(0, url.host.indexOf('.s3.'))
  const [name = '', query] = path.split('?')
  if (query !== undefined) return listed(await objects.list(bucket, new URLSearchParams(query).get('prefix') ?? ''))
  const key = decodeURIComponent(name.slice(1))
  if (method === 'PUT') {
    const named = Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(META) ? [[name.slice(META.length), value]] : [],
    )
    const stored = { bytes: body as Uint8Array, metadata: Object.fromEntries(named) }
    const isNew = headers['if-none-match'] === '*'
    const put = isNew
      ? await objects.putNew(bucket, key, stored)
      : ((await objects.put(bucket, key, stored)) ?? 'written')
    return put === 'written' ? { status: 200, headers: {}, body: NOTHING } : objectFault(412, 'PreconditionFailed')
  }
  const found = await objects.get(bucket, key)
  if (!found) return objectFault(404, 'NoSuchKey')
  const meta = Object.fromEntries(Object.entries(found.metadata).map(([name, value]) => [`${META}${name}`, value]))
  return { status: 200, headers: meta, body: Buffer.from(found.bytes) }
}

const NOTHING = Buffer.alloc(0)

const entry = ({ key, size }: ListedObject): string => `<Contents><Key>${key}</Key><Size>${size}</Size></Contents>`

const listed = (objects: readonly ListedObject[]): Incoming => ({
  status: 200,
  headers: {},
  body: Buffer.from(`<ListBucketResult>${objects.map(entry).join('')}</ListBucketResult>`),
})

export const objectFault = (status: number, code: string): Incoming => ({
  status,
  headers: {},
  body: Buffer.from(`<Error><Code>${code}</Code><Message>simulated</Message></Error>`),
})
