/** Names of headers that stand for something secret, or for what proves who sent a delivery. */
export const SECRET_NAME =
  /signature|(^|-)sig(-|$)|authorization|token|secret|hmac|cookie|api-?key|digest|password|assertion/i
