import { useMemo, useState } from 'preact/hooks'
import { jsonTokens } from './json-tokens.ts'
import { Block, CopyButton } from './parts.tsx'
import type { EventAnswer } from './wire.ts'
import { bytes, printable } from './words.ts'

/** A browser colours this much at once; a body of megabytes is shown up to here, and copied whole. */
const MOST_SHOWN = 200_000

type Body = Pick<EventAnswer, 'body' | 'bodyEncoding' | 'bodySize'>

/** The body as text, whatever it says it is: indented and coloured when it is JSON. */
export const BodyBlock = ({ body, bodyEncoding, bodySize }: Body) => {
  const [raw, setRaw] = useState(false)
  const shown = (body ?? '').slice(0, MOST_SHOWN)
  const tokens = useMemo(() => (bodyEncoding === 'utf8' ? jsonTokens(shown) : undefined), [shown, bodyEncoding])
  if (body === null) return null
  return (
    <Block
      title="Body"
      aside={
        <>
          <span class="fine">
            {bytes(bodySize)}
            {bodyEncoding === 'base64' && ', not text: shown in base64'}
          </span>
          <span class="fill" />
          {tokens && (
            <button type="button" class="quiet" aria-pressed={raw} onClick={() => setRaw(!raw)}>
              {raw ? 'Pretty' : 'Raw'}
            </button>
          )}
          <CopyButton text={body} label="Copy the body" />
        </>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre class="code" tabIndex={0}>
        {tokens && !raw
          ? tokens.map(({ kind, text }, index) =>
              kind === 'mark' ? (
                text
              ) : (
                <span key={index} class={`json-${kind}`}>
                  {printable(text)}
                </span>
              ),
            )
          : printable(shown)}
      </pre>
      {body.length > MOST_SHOWN && <p class="fine">The first {bytes(MOST_SHOWN)} are shown; Copy takes all of it.</p>}
    </Block>
  )
}
