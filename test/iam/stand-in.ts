// Loaded before the code of a function (`NODE_OPTIONS=--import=...`): what it asks of Stripe, a server of the test answers.
const sender = process.env.HOOKLATCH_SENDER
const { fetch } = globalThis

if (sender !== undefined) {
  globalThis.fetch = (asked, init) => {
    const { host, pathname, search } = new URL(asked instanceof Request ? asked.url : asked)
    return fetch(host === 'api.stripe.com' ? sender + pathname + search : asked, init)
  }
}
