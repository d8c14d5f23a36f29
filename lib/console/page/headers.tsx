import { Block, CopyButton, Foreign, Pairs } from './parts.tsx'

/** Headers of a delivery, as they came. */
export const Headers = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => {
  const entries = Object.entries(headers)
  if (entries.length === 0) return null
  const copy = <CopyButton text={entries.map(each => each.join(': ')).join('\n')} label="Copy the headers" />
  return (
    <Block
      title="Headers"
      aside={
        <>
          <span class="fill" />
          {copy}
        </>
      }
    >
      <Pairs of={entries.map(([name, value]) => [name, <Foreign text={value} />])} />
    </Block>
  )
}
