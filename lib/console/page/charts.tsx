import type { SourceStats } from '../../operator/source-stats.ts'
import { clock, count, took } from './words.ts'

type Bucket = SourceStats['buckets'][number]

const WIDTH = 480
const HEIGHT = 64

/** Bottom to top. */
const STACK = ['accepted', 'duplicate', 'rejected'] as const

/** What came, as stacked bars. Drawn by hand: the colours are those of the page, and 45 KB of library stay away. */
export const Bars = ({ buckets, label }: { readonly buckets: readonly Bucket[]; readonly label: string }) => {
  const highest = Math.max(1, ...buckets.map(bucket => STACK.reduce((sum, name) => sum + bucket[name], 0)))
  const step = WIDTH / Math.max(1, buckets.length)
  return (
    <svg class="bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {buckets.map((bucket, index) => (
        <g key={bucket.time}>
          <title>{sentenceOf(bucket)}</title>
          <rect class="hit" x={index * step} y={0} width={step} height={HEIGHT} />
          {stacked(bucket, highest).map(({ name, y, height }) => (
            <rect key={name} class={name} x={index * step + 1} y={y} width={Math.max(1, step - 2)} height={height} />
          ))}
        </g>
      ))}
      <line x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
    </svg>
  )
}

const stacked = (bucket: Bucket, highest: number) => {
  let top = HEIGHT
  return STACK.filter(name => bucket[name] > 0).map(name => {
    // One in ten thousand is still to be seen.
    const height = Math.max(1.5, (bucket[name] / highest) * (HEIGHT - 2))
    top -= height
    return { name, y: top, height }
  })
}

const sentenceOf = ({ time, accepted, duplicate, rejected }: Bucket): string =>
  `${clock(time).slice(0, 5)}: ${count(accepted)} accepted, ${count(duplicate)} duplicates, ${count(rejected)} rejected`

/** The slowest twentieth of the answers over time. */
export const Curve = ({ buckets }: { readonly buckets: readonly Bucket[] }) => {
  const measured = buckets.flatMap(({ latencyP95 }, index) => (latencyP95 === null ? [] : [{ latencyP95, index }]))
  const highest = Math.max(1, ...measured.map(({ latencyP95 }) => latencyP95))
  const x = (index: number): number => (index / Math.max(1, buckets.length - 1)) * 116 + 2
  const y = (latency: number): number => 18 - (latency / highest) * 16
  const points = measured.map(({ latencyP95, index }) => `${x(index)},${y(latencyP95)}`)
  const last = measured.at(-1)
  // One figure is no curve, and stands beside it anyway.
  if (measured.length < 2) return null
  return (
    <svg class="curve" viewBox="0 0 120 20" role="img" aria-label={`Latency, p95 at most ${took(highest)}`}>
      <title>p95 at most {took(highest)}</title>
      <polyline points={points.join(' ')} />
      {last && <circle cx={x(last.index)} cy={y(last.latencyP95)} r="2" />}
    </svg>
  )
}
