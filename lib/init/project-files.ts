/** Those that this version was tested with; a test compares them with our own. */
export const VERSIONS = {
  dependencies: { 'aws-cdk-lib': '2.276.0', constructs: '10.8.1' },
  devDependencies: { '@types/node': '24.19.2', 'aws-cdk': '2.1147.0', typescript: '7.0.2' },
} as const

/** What the tools read. */
export const projectFiles = (name: string, hooklatch: string): Readonly<Record<string, string>> => ({
  'package.json': json({
    name,
    private: true,
    type: 'module',
    // From this version on Node runs TypeScript as it is.
    engines: { node: '>=22.18' },
    scripts: {
      start: 'hooklatch start',
      // With a pattern: an older Node would find no TypeScript, and call that a success.
      test: 'node --test "**/*.test.ts"',
      check: 'tsc',
      synth: 'cdk synth --quiet',
      deploy: 'cdk deploy',
    },
    dependencies: { ...VERSIONS.dependencies, hooklatch },
    devDependencies: VERSIONS.devDependencies,
  }),
  'cdk.json': json({ app: 'node app.ts', notices: false, versionReporting: false, cliTelemetry: false }),
  'tsconfig.json': TSCONFIG,
  '.gitignore': ['node_modules/', 'cdk.out/', '.hooklatch/', ''].join('\n'),
})

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2024",
    "lib": ["es2024"],
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "exactOptionalPropertyTypes": true,
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true,
    "allowImportingTsExtensions": true,
    "noEmit": true,
    "skipLibCheck": true
  }
}
`
