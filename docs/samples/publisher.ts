import { publisher, sigV4 } from '../../lib/publisher.ts'

const orders = publisher({
  url: 'https://abc123.execute-api.eu-central-1.amazonaws.com/publish/orders',
  sign: sigV4({
    region: 'eu-central-1',
    credentials: {
      accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? '',
      sessionToken: process.env.AWS_SESSION_TOKEN,
    },
  }),
})

// The key says which event this is: derive it from the fact, and a second run of your own code is a retry as well.
export const orderCreated = (orderId: string) =>
  orders.publish({ type: 'order.created', orderId }, `order-created-${orderId}`)
