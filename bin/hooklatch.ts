#!/usr/bin/env node
import { run } from '../lib/cli/run.ts'
import { processTerminal } from '../lib/terminal/terminal.ts'

/** For what is still being written; a connection that a worker left open is not waited for. */
const LEAVE_WITHIN_MS = 500

process.exitCode = await run(process.argv.slice(2), processTerminal())
setTimeout(() => process.exit(), LEAVE_WITHIN_MS).unref()
