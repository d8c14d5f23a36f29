import { synth } from '../lib/stacks/synth.ts'

// npx cdk deploy -c environment=staging -c api=rest -c throwAway=true -c runtime=nodejs22.x -c alarmTopic=arn:aws:sns:... -c encryptionKey=arn:aws:kms:... -c logRetention=90
try {
  const { default: sources } = await import('../sources.ts')
  const { default: destinations } = await import('../destinations.ts')
  synth(sources, undefined, destinations)
} catch (error) {
  // A mistake in sources.ts, in destinations.ts or on the command line is a sentence, not a stack.
  process.stderr.write(`${process.env.HOOKLATCH_DEBUG ? (error as Error).stack : (error as Error).message}\n`)
  process.exitCode = 1
}
