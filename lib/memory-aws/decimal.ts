/** The sum as DynamoDB computes it, in decimal: 0.1 + 0.2 is 0.3. */
export const addDecimals = (left: number, right: number): number => {
  const sum = left + right
  if (Number.isInteger(left) && Number.isInteger(right)) return sum
  const [one, other] = [parse(left), parse(right)]
  const places = Math.max(one.places, other.places)
  const digits = scaled(one, places) + scaled(other, places)
  return Number(`${digits}e-${places}`)
}

interface Decimal {
  readonly digits: bigint
  /** Behind the point. */
  readonly places: number
}

const parse = (value: number): Decimal => {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const places = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 }
}

const scaled = ({ digits, places }: Decimal, to: number): bigint => digits * 10n ** BigInt(to - places)
