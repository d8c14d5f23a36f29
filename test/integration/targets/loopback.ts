import { noEmulator } from './no-emulator.ts'

/** Names and addresses that never leave this machine. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** A suite that creates, floods and destroys goes to AWS only when it was asked to: anything else must be this machine. */
export const requireLoopback = (endpoint: string): URL => {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (url && LOOPBACK.test(url.hostname)) return url
  throw noEmulator(
    `${endpoint} is not on this machine: expected an endpoint at localhost, 127.0.0.1 or [::1]. For AWS itself there is IT_TARGET=aws.`,
  )
}
