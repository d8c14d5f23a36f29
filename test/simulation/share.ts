import { help } from './stretches.ts'

// A process of `npm run prove`, beside others.
help()
