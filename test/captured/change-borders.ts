import type { Captured, Change } from './change.ts'

/**
 * A piece of the body moved into a signed header, on the other side of what stands between the two: the text that was signed can
 * be the same, and say something else.
 */
export const borderChanges = ({ request, coverage }: Captured): readonly Change[] => {
  const body = Buffer.from(request.body).toString('utf8')
  return coverage.headers
    .filter(header => request.headers[header] !== undefined)
    .flatMap(header =>
      SEPARATORS.flatMap(between => moved(body, between)).map(({ name, rest, piece, between }) => {
        const value = request.headers[header] ?? ''
        const text = name.endsWith('before') ? `${piece}${between}${value}` : `${value}${between}${piece}`
        return {
          name: `${header} with ${name} it`,
          part: 'header',
          request: { ...request, body: rest, headers: { ...request.headers, [header]: text } },
          refused: true,
        } as const
      }),
    )
}

const SEPARATORS = ['', '.', ':', '|', '\n', ';', ',']

/** All of the body, all fields of a form as they are signed in order, or what follows or precedes a separator in it. */
const moved = (body: string, between: string) => {
  const [first, last] = between === '' ? [1, body.length - 1] : [body.indexOf(between), body.lastIndexOf(between)]
  const sign = JSON.stringify(between)
  const piece = (name: string, moving: string, rest: string) => ({ name, piece: moving, rest, between })
  return [
    piece(`the body and ${sign} before`, body, ''),
    piece(`the body and ${sign} after`, body, ''),
    piece(`the form and ${sign} before`, formText(body), ''),
    piece(`the form and ${sign} after`, formText(body), ''),
    ...(first > 0
      ? [piece(`the start up to ${sign} after`, body.slice(0, first), body.slice(first + between.length))]
      : []),
    ...(last > 0 ? [piece(`the end from ${sign} before`, body.slice(last + between.length), body.slice(0, last))] : []),
  ]
}

const formText = (body: string): string =>
  [...new URLSearchParams(body)]
    .sort()
    .map(([name, value]) => name + value)
    .join('')
