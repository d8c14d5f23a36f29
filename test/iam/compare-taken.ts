import { PREDICTIONS, type Prediction } from './predictions.ts'
import type { Taken } from './take-away.ts'

/** A sentence for each statement that failed in another way than predicted, and for each prediction without a statement. */
export const compareTaken = (
  taken: readonly Taken[],
  predictions: readonly Prediction[] = PREDICTIONS,
): readonly string[] => {
  const met = new Set<Prediction>()
  const wrong = taken.flatMap(each => {
    const expected = predictions.find(prediction => isOf(prediction, each))
    if (expected === undefined) return [`${nameOf(each)}: there is no prediction`]
    met.add(expected)
    const same = isSame(expected, each)
    const unnamed = each.named === false ? [`${nameOf(each)}: doctor does not say so`] : []
    if (same) return unnamed
    return [...unnamed, `${nameOf(each)}: ${words(each.failed)} failed, predicted was ${words(expected.fails)}`]
  })
  const left = predictions.filter(prediction => !met.has(prediction))
  return [
    ...wrong,
    ...left.map(
      ({ caller, action, on = '' }) => `${caller} has no statement for ${action} ${on}: the prediction can go`,
    ),
  ]
}

const isSame = ({ fails }: Prediction, { failed }: Pick<Taken, 'failed'>): boolean =>
  String(fails.toSorted()) === String(failed.toSorted())

/** Whether a statement that was taken away is missed as foretold. */
export const isPredicted = (taken: Taken, predictions: readonly Prediction[] = PREDICTIONS): boolean => {
  const expected = predictions.find(prediction => isOf(prediction, taken))
  return expected !== undefined && isSame(expected, taken)
}

const isOf = ({ caller, action, on = '' }: Prediction, taken: Taken): boolean =>
  caller === taken.caller &&
  [taken.statement.Action].flat().includes(action) &&
  [taken.statement.Resource].flat().some(resource => resource.includes(on))

const nameOf = ({ caller, statement }: Taken): string =>
  `${caller} without ${[statement.Action].flat().join(', ')} on ${[statement.Resource].flat()[0]}`

const words = (names: readonly string[]): string => names.join(', ') || 'nothing'

/** As docs/iam.md shows it. */
export const predictionTable = (predictions: readonly Prediction[] = PREDICTIONS): string => {
  const seen = predictions.filter(({ fails }) => fails.length > 0)
  return [
    `What fails if a statement is taken away; \`-- --take-away\` tries each of them on MiniStack. ${seen.length} of ${predictions.length} predictions are about something that the probes try:`,
    '',
    '| function | without | does not work |',
    '| --- | --- | --- |',
    ...seen.map(({ caller, action, on, fails }) => `| ${caller} | \`${action}\`${placeOf(on)} | ${fails.join(', ')} |`),
  ].join('\n')
}

const placeOf = (on = ''): string => (on === '' ? '' : ` on \`${on.replaceAll(/^-Receiver-|-$/g, '')}\``)
