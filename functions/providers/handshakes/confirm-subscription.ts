import type { Handshake } from '../../domain/provider.ts'
import { readTopic } from '../sns-topic.ts'
import { askedFields } from './ask.ts'
import { sayNothing } from './say.ts'

/**
 * SNS wants its token back. The URL is built from the topic, which is on the source's list, and never taken from the
 * message: whoever can send one would choose where we call.
 */
export const confirmSubscription: Handshake = {
  says: 'signed POST of type SubscriptionConfirmation for a topic of config.topics, confirmed at SNS and answered 200',
  signed: true,
  answer: async asked => {
    const { Type, TopicArn, Token } = askedFields(asked)
    if (Type === 'UnsubscribeConfirmation') return sayNothing(200)
    if (Type !== 'SubscriptionConfirmation') return undefined
    const url = confirmationUrl(TopicArn, Token)
    const answer = url === undefined ? undefined : await asked.keys?.fetch(asked.source.name, url, 'again')
    return answer?.kind === 'fetched' ? sayNothing(200) : { status: 503, contentType: 'text/plain', body: '' }
  },
}

export const confirmationUrl = (topic: unknown, token: unknown): string | undefined => {
  const host = readTopic(topic)?.host
  if (host === undefined || typeof token !== 'string' || !/^[0-9a-zA-Z]{1,1024}$/.test(token)) return undefined
  const query = new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn: String(topic), Token: token })
  return `https://${host}/?${query}`
}
