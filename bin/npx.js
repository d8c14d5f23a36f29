#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { launch } from '../lib/launch/launch.js'

// `npx hooklatch`, on whichever Node a user has.
await launch(fileURLToPath(import.meta.resolve('#cli')), process.argv.slice(2))
