import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** In every data directory, beside the events it names (lib/local/data-dir.ts). */
export const FINGERPRINT_KEY_FILE = 'fingerprint.key'

/** For its owner alone, and for no commit: events, bodies, secrets and the access key of the engines are in it. */
export const makePrivate = (directory: string): void => {
  if (!existsSync(directory)) make(directory)
  else if (!isOurs(directory)) return
  if ((statSync(directory).mode & 0o077) !== 0) chmodSync(directory, 0o700)
  const ignored = join(directory, IGNORED)
  if (!existsSync(ignored)) writeFileSync(ignored, '*\n')
}

const IGNORED = '.gitignore'

/** One by one: `recursive` never comes back from a place like /proc where nothing can be made. */
const make = (directory: string): void => {
  if (!existsSync(dirname(directory))) make(dirname(directory))
  mkdirSync(directory)
}

/**
 * An older version made it for everybody to read. `--data .` is somebody else's directory, and stays as it is, also when our files
 * are in it beside theirs.
 */
const isOurs = (directory: string): boolean =>
  basename(directory) === '.hooklatch' || readdirSync(directory).every(name => OURS.test(name))

/** What an instance leaves in a data directory, with the files that SQLite has beside a database. */
const OURS =
  /^(?:\.gitignore|fingerprint\.key|desk\.pid|secrets\.json|deliveries\.log(?:\.1)?|(?:dynoxide|fauxqs|shared-local-instance|[0-9a-f]{32}_us-east-1)\.db(?:-\w+)?)$/
