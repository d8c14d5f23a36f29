import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} Pin One file of a package that holds a Node.
 * @property {string} package
 * @property {string} version
 * @property {string} file
 * @property {string} sha256
 *
 * @typedef {object} Machine
 * @property {string} version Of the Node that runs this: the user's own.
 * @property {string} needed What our package.json asks for, `>=24`.
 * @property {string} platform `linux-x64`
 * @property {Readonly<Record<string, Pin>>} pins By platform.
 * @property {string} modules Where npm puts packages.
 *
 * @typedef {'own' | { packaged: string, says: string } | { refusal: string }} Picked
 */

/**
 * The user's own Node if it is new enough; else the packaged one, if it is the file that is pinned here.
 *
 * @param {Machine} machine
 * @returns {Picked}
 */
export const pickNode = ({ version, needed, platform, pins, modules }) => {
  const least = needed.replace('>=', '')
  if (isAtLeast(version, least)) return 'own'
  const short = `Hooklatch needs Node ${least} or newer, and yours is ${version}`
  const install = `Install Node ${least} or newer, put it first in your PATH, and try again.`
  const pin = pins[platform]
  const file = pin && join(modules, pin.package, pin.file)
  if (!file || !existsSync(file)) return { refusal: `${short}. No packaged Node is installed here. ${install}` }
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
  if (sha256 !== pin.sha256) {
    const found = `${file} has the SHA-256 ${sha256}, not the pinned ${pin.sha256}`
    return { refusal: `${short}. The packaged Node was not run: ${found}. Run \`npm ci\` again. ${install}` }
  }
  return { packaged: file, says: `${short}: this runs on ${pin.package} ${pin.version} (SHA-256 checked).` }
}

/**
 * @param {string} version
 * @param {string} least
 */
const isAtLeast = (version, least) => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}
