import { CopyButton, Foreign } from './parts.tsx'
import { printable } from './words.ts'

/** Headers of a delivery, as they came. */
export const Headers = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => {
  const entries = Object.entries(headers)
  if (entries.length === 0) return null
  return (
    <section class="block" aria-label="Headers">
      <header>
        <h3>Headers</h3>
        <span class="fill" />
        <CopyButton text={entries.map(each => each.join(': ')).join('\n')} label="Copy the headers" />
      </header>
      <dl class="headers">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{printable(name)}</dt>
            <dd>
              <Foreign text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
