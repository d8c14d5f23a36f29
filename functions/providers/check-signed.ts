import type { Inspection } from '../domain/coded.ts'
import type { SignedScheme } from '../domain/scheme.ts'
import type { Verdict } from '../domain/verdict.ts'
import { checkTimestamp } from './check-timestamp.ts'
import { decodeSignature } from './decode-signature.ts'
import { type Candidate, matchSignature } from './match-signature.ts'
import { readSignatures, type SignatureGroup } from './read-signatures.ts'
import { chooseRecipe, type Recipe } from './recipe.ts'
import { renderContent } from './render-content.ts'
import { distrusted, genuine } from './verdict.ts'

/** Schemes that sign a text: find the signatures, rebuild the text, compare, and only then look at the clock. */
export const checkSigned = (scheme: SignedScheme, inspection: Inspection): Verdict => {
  if (scheme.kind === 'hmac' && scheme.challenges && !isStructured(inspection.delivery.body)) {
    return distrusted('signature-mismatch')
  }
  const recipe = chooseRecipe(scheme, inspection.delivery.headers)
  if ('refused' in recipe) return distrusted(recipe.refused)
  const groups = readSignatures(recipe.value.sig, inspection.delivery)
  if ('refused' in groups) return distrusted(groups.refused)
  return checkGroups(scheme, recipe.value, groups.value, inspection)
}

/** No challenge begins with a bracket, so what was signed as an answer cannot come back as a delivery. */
const isStructured = (body: Uint8Array): boolean => body[0] === OPEN_BRACE || body[0] === OPEN_BRACKET

const [OPEN_BRACE, OPEN_BRACKET] = [0x7b, 0x5b]

const checkGroups = (
  scheme: SignedScheme,
  recipe: Recipe,
  groups: readonly SignatureGroup[],
  { source, delivery, keys, now }: Inspection,
): Verdict => {
  let decoded = 0
  for (const group of groups) {
    const candidates = decodeAll(recipe, group)
    decoded += candidates.length
    if (candidates.length === 0) continue
    const content = renderContent(recipe, { source, delivery, group })
    if ('refused' in content) return distrusted(content.refused)
    const matched = keys.findIndex(key => matchSignature(scheme, key, content.value, candidates))
    if (matched < 0) continue
    const late = recipe.ts && checkTimestamp(recipe.ts, delivery, group, now)
    return late ? distrusted(late) : genuine(matched)
  }
  return distrusted(decoded === 0 ? 'header-malformed' : 'signature-mismatch')
}

const decodeAll = ({ sig }: Recipe, { signatures }: SignatureGroup): readonly Candidate[] => {
  const decoded: Candidate[] = []
  for (const { label, value } of signatures) {
    const bytes = decodeSignature(sig.encoding, value)
    if (bytes) decoded.push({ label, bytes })
  }
  return decoded
}
