/** 300 is `5m`, 86400 `1d`, 99305 `27h 35m 5s`. */
export const spanWords = (seconds: number): string => {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['m', 60],
    ['s', 1],
  ] as const
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
