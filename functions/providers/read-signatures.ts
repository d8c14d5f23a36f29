import type { Delivery } from '../domain/delivery.ts'
import type { Layout, SignatureField } from '../domain/scheme.ts'
import { locate } from './locate.ts'
import { type Found, refused } from './verdict.ts'

/** More than any rotation needs; a header full of guesses is refused, not tried. */
export const MOST_SIGNATURES = 16

export interface SignatureGroup {
  /** Key-value pairs beside the signatures, with every value that was sent. */
  readonly fields: ReadonlyMap<string, readonly string[]>
  readonly signatures: readonly LabelledSignature[]
}

export interface LabelledSignature {
  readonly label: string
  readonly value: string
}

/** The signatures a delivery brings, still encoded, each group with the fields that were signed with it. */
export const readSignatures = (sig: SignatureField, delivery: Delivery): Found<readonly SignatureGroup[]> => {
  const groups: SignatureGroup[] = []
  for (const name of [sig.name, ...(sig.aliases ?? [])]) {
    const text = locate({ in: sig.in, name }, delivery)
    if ('value' in text) groups.push(...splitGroups(sig, text.value))
    else if (text.refused !== 'header-missing') return text
  }
  if (groups.length === 0) return refused('header-missing')
  const count = groups.reduce((sum, { signatures }) => sum + signatures.length, 0)
  if (count === 0 || count > MOST_SIGNATURES) return refused('header-malformed')
  if (!sig.many && count > 1) return refused('header-repeated')
  return { value: groups }
}

const splitGroups = (layout: SignatureField, text: string): readonly SignatureGroup[] => {
  switch (layout.layout) {
    case 'plain':
      return [groupOf(splitMany(layout, text))]
    case 'prefix':
      return [groupOf(text.startsWith(layout.prefix) ? splitMany(layout, text.slice(layout.prefix.length)) : [])]
    case 'kv':
      return splitWhole(layout, layout.groupSep ? text.split(layout.groupSep, MOST_ITEMS) : [text])
    case 'list':
      return [groupOf(splitItems(text, layout.listSep, layout.itemSep))]
    case 'stamp-first': {
      const [stamp = '', ...values] = text.split(',', MOST_ITEMS)
      // A second time among the signatures is the seam of two headers.
      const signatures = values.some(value => /^\d{1,16}$/.test(value)) ? [] : unlabelled(values)
      return [{ signatures, fields: new Map([['t', [stamp]]]) }]
    }
  }
}

/** `v0=a,b,c`: several in one header, of senders that may send several and have no other header for them. */
const splitMany = ({ many, aliases = [] }: SignatureField, text: string): readonly LabelledSignature[] => {
  if (!many || aliases.length > 0) return [{ label: '', value: text }]
  return unlabelled(text.split(',', MOST_ITEMS))
}

const unlabelled = (values: readonly string[]): readonly LabelledSignature[] =>
  values.every(value => /^[^\s;]+$/.test(value)) ? values.map(value => ({ label: '', value })) : []

const groupOf = (signatures: readonly LabelledSignature[]): SignatureGroup => ({ fields: new Map(), signatures })

/** As with pairs, one odd group spoils the lot. */
const splitWhole = (layout: Layout & { layout: 'kv' }, texts: readonly string[]): readonly SignatureGroup[] => {
  const groups = texts.map(text => splitPairs(layout, text))
  return groups.some(({ fields }) => fields.size === 0) ? [groupOf([])] : groups
}

const splitPairs = ({ pairSep, kvSep, sigKeys }: Layout & { layout: 'kv' }, group: string): SignatureGroup => {
  const items = splitItems(group, pairSep, kvSep)
  const fields = new Map<string, string[]>()
  for (const { label, value } of items) fields.set(label, [...(fields.get(label) ?? []), value])
  return { fields, signatures: items.filter(({ label }) => sigKeys.includes(label)) }
}

/** All or nothing: one odd item, such as the seam of two headers joined by a comma and a space, spoils the lot. */
const splitItems = (text: string, listSep: string, itemSep: string): readonly LabelledSignature[] => {
  const items = text.split(listSep, MOST_ITEMS).map(item => {
    const at = item.indexOf(itemSep)
    return { label: item.slice(0, Math.max(at, 0)), value: item.slice(at + itemSep.length) }
  })
  return items.every(({ label, value }) => /^[^\s,;]+$/.test(label) && !/[\s,;]/.test(value)) ? items : []
}

/** Signatures, and as many things beside them. */
const MOST_ITEMS = 4 * MOST_SIGNATURES
