import type { Handshake } from '../../domain/provider.ts'
import { askedFields, askedHeader } from './ask.ts'
import { isEchoable, sayJson, sayText } from './say.ts'

/** Slack: saving a request URL sends a challenge, which is sent back as it came. */
export const slackChallenge: Handshake = {
  says: 'signed POST of type url_verification, answered with its challenge as text',
  signed: true,
  answer: asked => {
    const { type, challenge } = askedFields(asked)
    return type === 'url_verification' && typeof challenge === 'string' ? sayText(challenge) : undefined
  },
}

export const twitchChallenge: Handshake = {
  says: 'signed POST whose twitch-eventsub-message-type is webhook_callback_verification, answered with its challenge as text',
  signed: true,
  answer: asked => {
    const { challenge } = askedFields(asked)
    const verification = askedHeader(asked, 'twitch-eventsub-message-type') === 'webhook_callback_verification'
    return verification && typeof challenge === 'string' ? sayText(challenge) : undefined
  },
}

/** monday.com asks before it signs: nothing but a challenge, in JSON. */
export const mondayChallenge: Handshake = {
  says: 'unsigned POST of {"challenge"} and nothing else, answered with the same',
  signed: false,
  answer: asked => {
    const { challenge, ...others } = askedFields(asked)
    return Object.keys(others).length === 0 && isEchoable(challenge) ? sayJson({ challenge }) : undefined
  },
}

export const tebexValidation: Handshake = {
  says: 'signed POST of type validation.webhook, answered with its id as JSON',
  signed: true,
  answer: asked => {
    const { type, id } = askedFields(asked)
    return type === 'validation.webhook' && typeof id === 'string' ? sayJson({ id }) : undefined
  },
}
