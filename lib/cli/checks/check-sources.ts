import type { Source } from '../../../functions/domain/source.ts'
import { capturedRisk } from '../../catalogue/coverage-words.ts'
import { unconfirmed } from '../../operator/unconfirmed.ts'
import { type Check, type Found, fine, warning, wrong } from './finding.ts'

/** Finds sources that are configured but not deployed, deployed but not configured, or open to everybody. */
export const checkSources: Check = async ({ connection, sources }) => {
  const strange = connection.kind === 'aws' ? [...connection.urls.keys()].filter(name => !sources.has(name)) : []
  const found = [
    ...[...sources.values()].flatMap(source => judge(source, connection.urlOf(source.name) !== undefined)),
    ...strange.map(name =>
      warning(
        'is deployed, but not in your source file: the next deployment would remove it',
        'check out the version that was deployed, or name its source file with --source-file',
        name,
      ),
    ),
  ]
  return found.length > 0 ? found : [fine(`${sources.size} sources, all deployed`)]
}

const judge = (source: Source, deployed: boolean): readonly Found[] => {
  const { name, scheme, publish, provider } = source
  const look = `npx hooklatch providers ${provider.id}`
  const undeployed = wrong('is configured, but not deployed: its URL answers 404', 'npx cdk deploy', name)
  const open = warning(
    `is UNSIGNED: ${provider.name} does not sign, so anyone who knows the URL can post events. Look up each event at the sender before you act on it`,
    look,
    name,
  )
  const doubt = unconfirmed(source)
  return [
    ...(deployed ? [] : [undeployed]),
    ...(scheme.kind === 'none' && publish === null ? [open] : []),
    ...capturable(source, look),
    ...(doubt === null ? [] : [warning(doubt, look, name)]),
  ]
}

/** Said once of each: an unsigned source is named as one already. */
const capturable = (source: Source, look: string): readonly Found[] => {
  const captured = source.scheme.kind === 'none' ? null : capturedRisk(source)
  if (captured === null) return []
  const says = captured.says.charAt(0).toLowerCase() + captured.says.slice(1)
  return [warning(says, captured.stop === null ? look : `${captured.stop} in sources.ts`, source.name)]
}
