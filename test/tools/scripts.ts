import type { Script } from './run-tool.ts'

/** What `npm run prove` and `npm run bench` can do. Without a name they do the first. */
export const SCRIPTS = {
  prove: {
    simulation: async () => (await import('../simulation/prove.ts')).simulation,
    exhaust: async () => (await import('../simulation/exhaust.ts')).exhaust,
    kill: async () => (await import('../kill/run.ts')).killing,
    coverage: async () => (await import('../captured/run.ts')).coverage,
    fuzz: async () => (await import('../fuzz/run.ts')).fuzzing,
    load: async () => (await import('../load/run.ts')).loading,
    mutation: async () => (await import('../mutation/run.ts')).mutation,
    iam: async () => (await import('../iam/run.ts')).iam,
    model: async () => (await import('../model/run.ts')).model,
  },
  mutants: { hunt: async () => (await import('../simulation/hunt.ts')).hunting },
  bench: {
    receive: async () => (await import('../bench/run.ts')).receiveBench,
    system: async () => (await import('../bench/system.ts')).systemBench,
    destinations: async () => (await import('../bench/destinations.ts')).destinationsBench,
    list: async () => (await import('../bench/list.ts')).listBench,
    bundles: async () => (await import('../bench/bundles.ts')).bundleSizes,
    powertools: async () => (await import('../compare/powertools.ts')).powertoolsComparison,
  },
} satisfies Readonly<Record<string, Script['tools']>>
