import { search } from './search.ts'

// One setup of `npm run prove exhaust`, in a process of its own.
const [setup, bound] = JSON.parse(process.argv[2] ?? '')
const found = await search(setup, bound)
process.stdout.write(JSON.stringify({ ...found, interleavings: String(found.interleavings) }))
