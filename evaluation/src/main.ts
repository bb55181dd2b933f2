import { processTerminal } from '@oncall-agent/backend'
import { runCommandLine } from './cli/run-command-line.ts'

process.exitCode = await runCommandLine(process.argv, processTerminal())
