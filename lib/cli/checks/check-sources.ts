import type { Source } from '../../../functions/domain/source.ts'
import { capturedRisk } from '../../catalogue/coverage-words.ts'
import { unconfirmed } from '../../operator/unconfirmed.ts'
import { type Check, type Finding, fine } from './finding.ts'

/** Finds sources that are configured but not deployed, deployed but not configured, or open to everybody. */
export const checkSources: Check = async ({ connection, sources }) => {
  const strange = connection.kind === 'aws' ? [...connection.urls.keys()].filter(name => !sources.has(name)) : []
  const found: Omit<Finding, 'check'>[] = [
    ...[...sources.values()].flatMap(source => judge(source, connection.urlOf(source.name) !== undefined)),
    ...strange.map(name => ({
      level: 'warning' as const,
      subject: name,
      says: 'is deployed, but not in your source file: the next deployment would remove it',
      fix: `check out the version that was deployed, or name its source file with --source-file`,
    })),
  ]
  return found.length > 0 ? found : [fine(`${sources.size} sources, all deployed`)]
}

const judge = (source: Source, deployed: boolean): Omit<Finding, 'check'>[] => {
  const subject = source.name
  return [
    ...(deployed
      ? []
      : [
          {
            level: 'wrong' as const,
            subject,
            says: 'is configured, but not deployed: its URL answers 404',
            fix: 'npx cdk deploy',
          },
        ]),
    ...(source.scheme.kind === 'none' && source.publish === null
      ? [
          {
            level: 'warning' as const,
            subject,
            says: `is UNSIGNED: ${source.provider.name} does not sign, so anyone who knows the URL can post events. Look up each event at the sender before you act on it`,
            fix: `npx hooklatch providers ${source.provider.id}`,
          },
        ]
      : []),
    ...capturable(source),
    ...[unconfirmed(source)]
      .filter(says => says !== null)
      .map(says => ({
        level: 'warning' as const,
        subject,
        says,
        fix: `npx hooklatch providers ${source.provider.id}`,
      })),
  ]
}

/** Said once of each: an unsigned source is named as one already. */
const capturable = (source: Source): Omit<Finding, 'check'>[] => {
  const captured = source.scheme.kind === 'none' ? null : capturedRisk(source)
  if (captured === null) return []
  return [
    {
      level: 'warning',
      subject: source.name,
      says: captured.says.charAt(0).toLowerCase() + captured.says.slice(1),
      fix: captured.stop === null ? `npx hooklatch providers ${source.provider.id}` : `${captured.stop} in sources.ts`,
    },
  ]
}
