/** A version of the thing a key names: numbers, digits, or text that sorts by time such as ISO 8601. */
export type Version = number | string

/** Longer ones are nobody's clock or counter. */
export const MOST_VERSION_CHARACTERS = 128

/**
 * Text that sorts as the version does, whatever its type and length: negative numbers, then numbers, then text. Digits are a number
 * however many there are: as text, ten would come before nine, and as numbers, those of more than 15 digits would be rounded.
 */
export const sortsAs = (version: Version): string => {
  if (String(version).length > MOST_VERSION_CHARACTERS) {
    throw new RangeError(`a version has at most ${MOST_VERSION_CHARACTERS} characters`)
  }
  if (typeof version === 'string') return DIGITS.test(version) ? ofDecimal(version) : `t${version}`
  if (!Number.isFinite(version)) throw new RangeError(`a version is a finite number or text, and not ${version}`)
  const decimal = decimalOf(Math.abs(version))
  return version < 0 ? `-${complement(ofDecimal(decimal).slice(1))}~` : ofDecimal(decimal)
}

const DIGITS = /^\d+$/

/** Up to 15 digits are exact as a number, and version 0.1 stored and sent them as one. What no number holds exactly is text. */
export const asStored = (version: Version): Version => {
  if (typeof version === 'string') return /^\d{1,15}$/.test(version) ? Number(version) : version
  return Number.isInteger(version) && !Number.isSafeInteger(version) ? BigInt(version).toString() : version
}

/** To compare with a number that version 0.1 stored: more digits than those had are more than any of them. Text is none. */
export const asNumber = (version: Version): Version =>
  typeof version === 'string' && !DIGITS.test(version) ? version : Math.min(Number(version), Number.MAX_SAFE_INTEGER)

/** How many digits stand before the point, in three, and then the digits: the longer number is the larger one. */
const ofDecimal = (decimal: string): string => {
  const [whole = '', fraction = ''] = decimal.replace(/^0+(?=\d)/, '').split('.')
  return `n${String(whole.length).padStart(3, '0')}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Without an exponent, with every digit that the number has. */
const decimalOf = (positive: number): string => {
  if (Number.isInteger(positive)) return BigInt(positive).toString()
  const [digits = '', exponent] = String(positive).split('e-')
  return exponent === undefined ? digits : `0.${'0'.repeat(Number(exponent) - 1)}${digits.replace('.', '')}`
}

/** Of two negative numbers the one further from zero comes first. */
const complement = (text: string): string => text.replace(/\d/g, digit => String(9 - Number(digit)))
