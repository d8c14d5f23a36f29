import type { Captured, Change } from './change.ts'

/** The method, the URL and each header of a captured delivery changed. */
export const envelopeChanges = (captured: Captured): readonly Change[] => [
  ...Object.keys(captured.request.headers).flatMap(name => headerChanges(captured, name)),
  {
    name: 'a header added',
    part: 'header',
    request: { ...captured.request, headers: { ...captured.request.headers, 'x-probe': '1' } },
    refused: false,
  },
  {
    name: 'another method',
    part: 'method',
    request: { ...captured.request, method: 'PUT' },
    refused: captured.coverage.method,
  },
  ...urlChanges(captured),
]

const headerChanges = ({ request, coverage, proofHeader }: Captured, header: string): readonly Change[] => {
  const { [header]: value = '', ...others } = request.headers
  const signed = header === proofHeader || coverage.headers.includes(header)
  const fixed = coverage.fixed.includes(header)
  const change = (name: string, headers: Change['request']['headers'], refused: boolean): Change => ({
    name: `${header} ${name}`,
    part: 'header',
    request: { ...request, headers: headers ?? {} },
    refused,
  })
  return [
    change('dropped', others, signed),
    change('changed', { ...others, [header]: `${value}1` }, signed || fixed),
    change('emptied', { ...others, [header]: '' }, signed || fixed),
    change('doubled', { ...others, [header]: [value, value] }, signed || fixed),
    change('doubled and joined', { ...others, [header]: `${value}, ${value}` }, signed || fixed),
  ]
}

/** What a URL that is covered in this way does not let pass. */
const REFUSES = {
  whole: ['host', 'path', 'added', 'second mark', 'order', 'spelling'],
  decoded: ['host', 'path', 'added', 'second mark', 'order'],
  sorted: ['host', 'path', 'added', 'second mark'],
  'path and query': ['path', 'added', 'second mark', 'order', 'spelling'],
  path: ['path'],
  nothing: [],
} as const satisfies Record<Captured['coverage']['url'], readonly UrlChange[]>

type UrlChange = keyof typeof URL_CHANGES

const URL_CHANGES = {
  host: url => url.replace('hooks.', 'other.'),
  path: url => url.replace('/acme', '/acme/more'),
  added: url => `${url}&more=1`,
  'second mark': url => url.replace('b=2%2F3', 'b=2%2F3?more=1'),
  order: url => url.replace('a=1&b=2%2F3', 'b=2%2F3&a=1'),
  spelling: url => url.replace('%2F', '/'),
} as const satisfies Record<string, (url: string) => string>

const urlChanges = ({ request, coverage, proofParameter }: Captured): readonly Change[] => {
  const refuses: readonly string[] = REFUSES[coverage.url]
  const change = (name: string, url: string, refused: boolean): Change => ({
    name: `url: ${name}`,
    part: 'url',
    request: { ...request, url },
    refused,
  })
  const proof = proofParameter === undefined ? undefined : new RegExp(`&(${proofParameter}=[^&]*)`)
  return [
    ...Object.entries(URL_CHANGES).map(([name, to]) => change(name, to(request.url), refuses.includes(name))),
    ...(proof
      ? [
          change('proof dropped', request.url.replace(proof, ''), true),
          change('proof changed', request.url.replace(proof, '&$11'), true),
          change('proof doubled', request.url.replace(proof, '&$1&$1'), true),
        ]
      : []),
  ]
}
