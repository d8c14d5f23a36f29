/** What a function was refused. */
export interface Denial {
  readonly action: string
  /** Without the account, and without the key of an object; empty if the service did not name it. */
  readonly resource: string
  readonly times: number
}

/** A key that KMS does not use for anybody: it is disabled, or on its way to be deleted. */
export interface LockedKey {
  readonly key: string
  readonly state: string
  readonly times: number
}

/** What both spellings of a refusal hold: AWS's own, in the trace of a crash, and ours, in a `cause`. And what is said of a key. */
export const DENIAL_TEXTS = ['no permission for', 'is not authorized to perform', 'is disabled', 'is pending'] as const

/** Most often first. */
export const denialsIn = async (lines: AsyncIterable<string>) => {
  const denied = new Map<string, number>()
  const locked = new Map<string, number>()
  for await (const line of lines) {
    const said = DENIED.exec(line)
    const about = LOCKED.exec(line)
    if (said) count(denied, `${said[1]} ${nameOf(said[1] ?? '', said[2] ?? '')}`)
    else if (about) count(locked, `${about[1]} ${about[2]}`)
  }
  return {
    denials: counted(denied).map(([action, resource, times]): Denial => ({ action, resource, times })),
    lockedKeys: counted(locked).map(([key, state, times]): LockedKey => ({ key, state, times })),
  }
}

const count = (times: Map<string, number>, key: string): void => void times.set(key, (times.get(key) ?? 0) + 1)

const counted = (times: ReadonlyMap<string, number>): readonly (readonly [string, string, number])[] =>
  [...times]
    .toSorted(([, one], [, other]) => other - one)
    .map(([key, many]) => {
      const [first = '', ...rest] = key.split(' ')
      return [first, rest.join(' '), many]
    })

/** `KMS.DisabledException: arn:aws:kms:eu-central-1:123456789012:key/1234 is disabled.`: whoever asked, KMS says it of the key. */
const LOCKED = /(arn:[\w-]+:kms:[\w-]+:\d+:key\/[\w-]+) is (disabled|pending \w+)/

/** Inside JSON, so S3's quotes around a resource are escaped. KMS may say `on this resource` or `on the resource associated with ...`. */
const DENIED =
  /(?:no permission for|is not authorized to perform:) ([\w-]+:\w+)(?: on (?!this |the )(?:resource: )?[\\"]*([^\s\\",]+))?/

/** `arn:aws:s3:::bodies/7d/...` is `bodies`, `arn:aws:dynamodb:eu-central-1:123456789012:table/events` is `table/events`. */
const nameOf = (action: string, resource: string): string => {
  const name = resource.replace(/^arn:(?:[^:]*:){4}/, '').replace(/\.$/, '')
  return action.startsWith('s3:') ? name.replace(/\/.*/, '') : name
}
