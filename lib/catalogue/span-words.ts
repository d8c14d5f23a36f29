/** As people say it: 300 is `5 minutes`, 99305 `28 hours`, 1827305 `3 weeks`. Within a twentieth of what it is. */
export const spanWords = (seconds: number): string => {
  const [unit, size] = UNITS.find(([, each]) => isNear(seconds, each)) ?? (['second', 1] as const)
  const count = Math.round(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const UNITS = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Nobody says `1 week` for 7 days, nor `4 weeks` for 30. */
const isNear = (seconds: number, size: number): boolean => {
  const count = Math.round(seconds / size)
  if (size === 604_800) return count > 1 && Math.round(seconds / 86_400) === count * 7
  return count > 0 && Math.abs(count * size - seconds) <= seconds / 20
}

/** A text as `spanText` makes it, as people say it. Any other text, such as `none`, stays as it is. */
export const inWords = (text: string): string => {
  const parts = [...text.matchAll(/(\d+)([dhms])/g)]
  if (text === '' || parts.map(([part]) => part).join(' ') !== text) return text
  return spanWords(
    parts.reduce((sum, [, count, unit]) => sum + Number(count) * SECONDS[unit as keyof typeof SECONDS], 0),
  )
}

const SECONDS = { d: 86_400, h: 3_600, m: 60, s: 1 }

/** To the second, as sources.ts and `--json` write it: 300 is `5m`, 86400 `1d`, 99305 `27h 35m 5s`. */
export const spanText = (seconds: number): string => {
  const units = Object.entries(SECONDS)
  const whole = units.find(([, size]) => seconds % size === 0 && seconds >= size && (size > 1 || seconds < 60))
  if (whole) return `${seconds / whole[1]}${whole[0]}`
  let left = seconds
  return units
    .slice(1)
    .flatMap(([unit, size]) => {
      const count = unit === 's' ? left : Math.floor(left / size)
      left -= count * size
      return count > 0 ? [`${count}${unit}`] : []
    })
    .join(' ')
}
