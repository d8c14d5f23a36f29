export { type PublisherOptions, publisher } from './client/publisher.ts'
export { type SigV4Options, sigV4 } from './client/sig-v4.ts'
