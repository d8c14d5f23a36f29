import destinations from '#destinations'
import sources from '#sources'
import { httpsKeys } from '../adapters/https-keys.ts'
import { providers } from '../providers/catalogue.ts'
import { resolveSources } from '../providers/sources.ts'

/** A bundle has a module of its own in the place of this one, `#resolved`: its sources as they were checked and resolved at synth. */
export default resolveSources(sources, providers, destinations)

/** Undefined in a bundle whose senders publish no keys. */
export const openKeys: typeof httpsKeys | undefined = httpsKeys
