import type { Source } from '../../../functions/domain/source.ts'
import { isLoopback } from '../../connect/api-keys.ts'
import { connectWithSources } from '../../connect/connect.ts'
import type { Connection, Target } from '../../connect/connection.ts'
import { findSource } from '../../connect/find-source.ts'
import { openSender, type Sender } from '../../connect/open-sender.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { allOf, readUrl } from '../flags.ts'

interface Given extends Target {
  readonly 'source-file'?: string
  readonly account?: string
  readonly url?: string
  readonly 'api-url'?: string
}

export interface FoundSender {
  readonly connection: Connection
  readonly source: Source
  /** `none`: nothing of ours knows how to register an endpoint there. */
  readonly sender: Sender | 'none'
  /** Where it delivers to, or is to. */
  readonly url: string
  /** It is the sender itself that is asked, and our URL is one of this machine. */
  readonly isUnreachable: boolean
}

/** The sender that the flags mean, and the URL that it knows us by. */
export const findSender = async (name: string, flags: Given): Promise<FoundSender | Refusal> => {
  const read = allOf(readUrl(flags.url), readUrl(flags['api-url'], 'api-url'))
  if (isRefusal(read)) return read
  const [given, apiUrl] = read
  const connected = await connectWithSources(flags)
  if (isRefusal(connected)) return connected
  const { connection, sources } = connected
  const source = findSource(sources, name)
  if (isRefusal(source)) return source
  const url = given ?? source.publicUrl ?? connection.urlOf(name)
  if (url === undefined) return refuse(`The source "${name}" is not deployed in ${connection.name}.`)
  const sender = openSender(source, { account: flags.account, apiUrl })
  if (isRefusal(sender)) return sender
  return { connection, source, sender, url, isUnreachable: apiUrl === undefined && isLoopback(url) }
}
