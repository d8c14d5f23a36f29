/** What a sender wrote, without the characters that hide or turn round what is beside them. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, character =>
    character === '\n' || character === '\t' ? character : '\ufffd',
  )

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** `4m`, `3h`: the largest unit is enough in a list. */
export const ago = (at: string, now: number): string => {
  const passed = now - Date.parse(at)
  const [unit, millis] = UNITS.find(([, each]) => passed >= each) ?? []
  return unit === undefined || millis === undefined ? 'now' : `${Math.floor(passed / millis)}${unit}`
}

/** `12 ms`, `3.4 s`, `2m 5s`. */
export const took = (millis: number): string => {
  if (millis < 1_000) return `${Math.round(millis)} ms`
  if (millis < 60_000) return `${(millis / 1_000).toFixed(millis < 10_000 ? 1 : 0)} s`
  const minutes = Math.floor(millis / 60_000)
  if (minutes < 60) return `${minutes}m ${Math.floor((millis % 60_000) / 1_000)}s`
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? `${hours}h ${minutes % 60}m` : `${Math.floor(hours / 24)}d ${hours % 24}h`
}

const TIME = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hour12: false,
})
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

/** In the time zone of whoever looks. */
export const clock = (at: string): string => TIME.format(new Date(at))
export const day = (at: string): string => DAY.format(new Date(at))

/** Day and time, to the second. */
export const instant = (at: string): string => `${day(at)}, ${clock(at).slice(0, 8)}`

/** Day and time, to the minute. */
export const minute = (at: string): string => `${day(at)}, ${clock(at).slice(0, 5)}`

/** A sentence of the server, whose times are UTC, in the time zone of whoever looks. */
export const inLocalTime = (sentence: string): string =>
  sentence.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, at => `${day(at)}, ${clock(at)}`)

/** For a tooltip and for programs: UTC, to the millisecond. */
export const utc = (at: string): string => `${at.slice(0, 19).replace('T', ' ')}.${at.slice(20, 23)} UTC`

export const bytes = (size: number): string => {
  if (size < 1_024) return `${size} B`
  return size < 1_048_576 ? `${(size / 1_024).toFixed(1)} KB` : `${(size / 1_048_576).toFixed(1)} MB`
}

const COUNT = new Intl.NumberFormat('en')
export const count = (number: number): string => COUNT.format(number)

export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`
