import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What is wrong with a module of the user, and in which line: Node says that at the head of the stack, or it is where the module called. */
export const whatAndWhere = (error: unknown, file: string): string => {
  if (!(error instanceof Error)) return String(error)
  const own = [resolve(file), pathToFileURL(file).pathname]
  const place = [...(error.stack ?? '').matchAll(PLACE)]
    .map(({ index, 1: path = '', 2: line }) => ({ path, line, isHead: index === 0, isOwn: own.includes(path) }))
    .find(({ isHead, isOwn }) => isHead || isOwn)
  if (place === undefined) return error.message
  return `${error.message} (${place.isOwn ? '' : `${place.path}, `}line ${place.line})`
}

/** `/app/sources.ts:12`, or `file:///app/sources.ts?edition=1-1:12` in the line of a call. */
const PLACE = /^(?: +at (?:.*\()?)?(?:file:\/\/)?(\/.*?\.[cm]?[jt]s)(?:\?[^:]*)?:(\d+)/gm
