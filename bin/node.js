import { launch } from '../lib/launch/launch.js'

// `node bin/node.js <program> [arguments]`: what the npm scripts and cdk.json run, on whichever Node a user has.
const [program = '', ...args] = process.argv.slice(2)
await launch(program, args)
