import { extname, isAbsolute, resolve } from 'node:path'

/** What this file is a part of: the repository's sources, or the JavaScript they were built to in an installed package. */
export const ROOT = resolve(import.meta.dirname, '../..')

export const fromRoot = (path: string): string =>
  isAbsolute(path) ? path : resolve(ROOT, path.replace(/\.ts$/, extname(import.meta.filename)))

/** Our own client for the calls that we make, or the AWS SDK. */
export type AwsClient = 'lean' | 'sdk'

/** The modules that take the place of `#aws`, for those who only receive, and of `#every-call`, for all others. */
export const CLIENT_MODULES = {
  lean: { '#aws': 'functions/adapters/lean/aws.ts', '#every-call': 'functions/adapters/lean/every-call.ts' },
  sdk: { '#aws': 'functions/adapters/sdk/aws.ts', '#every-call': 'functions/adapters/sdk/aws.ts' },
} as const satisfies Record<AwsClient, Readonly<Record<string, string>>>

/** The part of it that a function behind the queue needs. */
export const everyCall = (client: AwsClient = 'lean'): Readonly<Record<string, string>> => ({
  '#every-call': CLIENT_MODULES[client]['#every-call'],
})

/**
 * How a function becomes one file, for CDK and for whoever measures it. Everything goes in: init takes 37 ms with the SDK inside
 * and 71 ms with the runtime's own. With the SDK, loading takes 128 ms of CPU as CommonJS and 164 ms as an ES module, and from
 * the `module` builds it is 570 KB, from `main` 841 KB. No source map: it would be larger than the code. No arrow functions
 * in what is ours alone: V8 parses others sooner, which is 2 of 54 ms. Classes of the SDK break without them.
 */
export const bundleSettings = (aliases: Readonly<Record<string, string>>, awaitsAtStart: boolean) => ({
  minify: true,
  supported: { arrow: !isOursAlone(aliases, awaitsAtStart) },
  mainFields: ['module', 'main'],
  alias: Object.fromEntries(Object.entries(aliases).map(([name, file]) => [name, fromRoot(file)])),
  format: awaitsAtStart ? ('esm' as const) : ('cjs' as const),
  banner: awaitsAtStart && !isOursAlone(aliases, awaitsAtStart) ? { js: REQUIRE } : undefined,
})

/** The receive function without the SDK, which needs no CommonJS either. */
const isOursAlone = (aliases: Readonly<Record<string, string>>, awaitsAtStart: boolean): boolean =>
  awaitsAtStart && 'node:crypto' in aliases

/**
 * An ES module that imports a builtin reads every one of its exports, and some of them load more: `node:http` undici, 50 ms of
 * CPU where `getBuiltinModule` takes 7 (measured on one machine, in one run). A name that is missing there stops the bundling.
 */
export const QUICK_BUILTINS = Object.fromEntries(
  ['buffer', 'crypto', 'util'].map(name => [`node:${name}`, `lib/constructs/builtins/node-${name}.ts`]),
)

/** For CommonJS inside an ES module, such as parts of the SDK. */
const REQUIRE = "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);"
