import type { KeptDetail, KeptView } from '../../operator/kept-view.ts'
import { BodyBlock } from './body-block.tsx'
import { Headers } from './headers.tsx'
import { Dialog, Failure } from './parts.tsx'
import { useAnswer } from './use-answer.ts'
import { printable } from './words.ts'

/** One captured delivery, as it came; signatures and credentials are hidden. */
export const KeptDialog = ({ kept, onClose }: { readonly kept: KeptView; readonly onClose: () => void }) => {
  const path = `/api/captures/${encodeURIComponent(kept.source)}/${encodeURIComponent(kept.key)}`
  const { value, error } = useAnswer<KeptDetail>(path)
  return (
    <Dialog title="Captured delivery" wide onClose={onClose}>
      <div class="dialog-body">
        {error && <Failure error={error} />}
        {value && (
          <>
            <p class="mono">
              {value.method} {printable(value.url)}
            </p>
            <Headers headers={value.headers} />
            <BodyBlock body={value.body} bodyEncoding={value.bodyEncoding} bodySize={value.size} />
          </>
        )}
      </div>
    </Dialog>
  )
}
