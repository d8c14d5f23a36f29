#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Before anything else is loaded: half of what a command takes to start is reading and compiling what has not changed.
enableCompileCache()
const { run } = await import('../lib/cli/run.ts')
const { processTerminal } = await import('../lib/terminal/terminal.ts')

/** For what is still being written; a connection that a worker left open is not waited for. */
const LEAVE_WITHIN_MS = 500

process.exitCode = await run(process.argv.slice(2), processTerminal())
setTimeout(() => process.exit(), LEAVE_WITHIN_MS).unref()
