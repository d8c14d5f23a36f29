export interface Manifest {
  readonly name: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly imports: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

/** There must be one of each in an app, and the app chooses which: constructs of two copies do not fit together. */
const PEERS = { 'aws-cdk-lib': '^2.276.0', constructs: '^10.8.1' } as const

/** Whose types a handler gets if the app has them: nothing of them is ever loaded. */
const TYPES = { stripe: '>=17', '@octokit/webhooks-types': '>=7', '@slack/types': '>=2.9' } as const

/** Tools of the repository that the package needs at its user's: to bundle the functions, to type them, to run `start`. */
const NEEDED_TOOLS = ['esbuild', '@types/aws-lambda', 'fauxqs']

/** `zlib.zstdCompressSync` and `module.findPackageJSON`. */
const NODE = '>=22.15'

/**
 * The package.json of the tarball: what only the repository needs is left out. The packaged Node above all, which npm would link
 * into the .bin of every app that installs us.
 */
export const packedManifest = (manifest: Manifest) => {
  const { scripts, devEngines, devDependencies, optionalDependencies, overrides, allowScripts, ...kept } = manifest
  return {
    ...kept,
    engines: { node: NODE },
    bin: { hooklatch: 'dist/bin/npx.js' },
    imports: built(manifest.imports),
    dependencies: {
      ...only(manifest.dependencies, name => !Object.hasOwn(PEERS, name)),
      ...only(devDependencies, name => NEEDED_TOOLS.includes(name)),
    },
    peerDependencies: { ...PEERS, ...TYPES },
    peerDependenciesMeta: Object.fromEntries(Object.keys(TYPES).map(name => [name, { optional: true }])),
    optionalDependencies: only(optionalDependencies, name => name.startsWith('@dynoxide/')),
  }
}

/** `./functions/x.ts` is `./dist/functions/x.js` there. */
const built = (imports: Manifest['imports']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(imports).map(([name, file]) => [name, file.replace(/^\.\/(.*)\.ts$/, './dist/$1.js')]),
  )

const only = (packages: Readonly<Record<string, string>>, wanted: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(packages).filter(([name]) => wanted(name)))
