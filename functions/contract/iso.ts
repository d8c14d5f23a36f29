let second = Number.NaN
let before = ''

/** ISO 8601. Only the milliseconds are new each time: in a profile, a Date for each of them was 4 us of a delivery. */
export const isoOf = (instant: number): string => {
  const at = Math.floor(instant / 1000)
  if (at !== second) {
    before = new Date(at * 1000).toISOString().slice(0, -'000Z'.length)
    second = at
  }
  return `${before}${String(Math.trunc(instant - at * 1000)).padStart(3, '0')}Z`
}
