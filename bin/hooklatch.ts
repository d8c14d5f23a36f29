#!/usr/bin/env node
import { run } from '../lib/cli/run.ts'
import { processTerminal } from '../lib/cli/terminal.ts'

process.exitCode = await run(process.argv.slice(2), processTerminal())
