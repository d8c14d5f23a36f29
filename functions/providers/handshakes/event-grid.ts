import type { Asked, Handshake, HandshakeReply } from '../../domain/provider.ts'
import { askedHeader, fieldsOf } from './ask.ts'
import { sayJson } from './say.ts'

/** Event Grid validates before it delivers. Its deliveries still have to bring the source's key. */
export const eventGridValidation: Handshake = {
  says: 'POST with aeg-event-type: SubscriptionValidation, answered with its validationCode as JSON; OPTIONS of CloudEvents, answered with the allowed origin',
  methods: ['OPTIONS'],
  signed: false,
  answer: asked => (asked.delivery.method === 'OPTIONS' ? allowOrigin(asked) : validate(asked)),
}

const ORIGIN = 'eventgrid.azure.net'
const CODE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const validate = (asked: Asked): HandshakeReply | undefined => {
  if (askedHeader(asked, 'aeg-event-type') !== 'SubscriptionValidation') return undefined
  const events = asked.json()
  const [event, ...others] = Array.isArray(events) ? events : []
  const { eventType, data } = fieldsOf(event)
  const { validationCode } = fieldsOf(data)
  return others.length === 0 &&
    eventType === 'Microsoft.EventGrid.SubscriptionValidationEvent' &&
    typeof validationCode === 'string' &&
    CODE.test(validationCode)
    ? sayJson({ validationResponse: validationCode })
    : undefined
}

const allowOrigin = (asked: Asked): HandshakeReply | undefined =>
  askedHeader(asked, 'webhook-request-origin') === ORIGIN
    ? { ...sayJson({}), headers: { 'webhook-allowed-origin': ORIGIN } }
    : undefined
