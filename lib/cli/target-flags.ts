import type { Target } from '../connect/connection.ts'
import type { Flag } from './flags.ts'

/** Which deployment a command speaks to. One table, so every command that reads one takes the same flags. */
export const TARGET_FLAGS = {
  stack: {
    value: 'NAME',
    help: 'The deployed stack of this name (default: $HOOKLATCH_STACK, else the local instance).',
  },
  profile: { value: 'PROFILE', help: 'Credentials and region of this AWS profile (default: $AWS_PROFILE).' },
  region: { value: 'REGION', help: 'The AWS region of the stack (default: $AWS_REGION, else the profile\u2019s).' },
} as const satisfies Record<keyof Target, Flag>

export const SOURCE_FILE_FLAG = {
  'source-file': {
    value: 'FILE',
    help: 'The file with the sources (default: sources.ts, or the one of the local instance).',
  },
} as const

/** For a command that speaks to a sender's own API. */
export const SENDER_FLAGS = {
  account: { value: 'NAME', help: 'Repository, project or shop at the sender (default: `account` in sources.ts).' },
  'api-url': { value: 'URL', help: 'For tests: instead of the host of the sender.' },
} as const
