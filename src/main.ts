#!/usr/bin/env node
import { setTimeout } from 'node:timers/promises'
import { Command, CommanderError } from 'commander'
import { loadConfig, type Config } from './config/config.ts'
import { commandsFor } from './cli/commands.ts'
import { connect } from './wiring/connect.ts'
import { unknownOptionFirst } from './cli/unknown-option.ts'
import type { Wiring } from './ports/wiring.ts'
import { nothingRuns, untilBrokerListens } from './cli/nothing-runs.ts'

/** Dates depend on UTC alone: the library that reads them in other languages asks for the local time in places. */
process.env['TZ'] = 'UTC'

/** How long a command waits for its connections to close: a library may wait forever for a broker that was killed. */
const CLOSE_MS = 10_000

/** Long-running commands end on a signal; all others close what they opened when they are done, and end. */
async function main(): Promise<void> {
  const config = loadConfig(process.env)
  const isLongLived = LONG_LIVED.has(process.argv[2] ?? '')
  const connected = connect(config, process.env)
  const wiring = isLongLived ? connected : waitingForBroker(config, connected)
  const program = new Command('story').description('command line of the Story Intelligence Service')
  program.showHelpAfterError().exitOverride()
  program.configureOutput({
    outputError: (text, write) => write(unknownOptionFirst(program, process.argv.slice(2), text)),
  })
  for (const register of await commandsFor(process.argv[2])) register(program, wiring)
  await program.parseAsync().catch(async (cause: unknown) => {
    throw (await nothingRuns(config, cause)) ?? cause
  })
  if (isLongLived) return
  await Promise.race([wiring.close(), setTimeout(CLOSE_MS)])
  process.stdout.write('', () => process.exit()) // kafkajs may have left a connection open, which would keep the process
}

const LONG_LIVED = new Set(['up', 'start'])

/** For interactive commands: checks that a broker listens before the first access to the log. */
function waitingForBroker(config: Config, wiring: Wiring): Wiring {
  let isListening = false
  const listening = async () => {
    if (!isListening) await untilBrokerListens(config)
    isListening = true
  }
  return {
    ...wiring,
    log: () => listening().then(() => wiring.log()),
    viewedLog: () => listening().then(() => wiring.viewedLog()),
  }
}

/** The message with those of its causes: the outermost message alone may not say how to fix the problem. */
const messageOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause === undefined ? cause.message : `${cause.message}: ${messageOf(cause.cause)}`
}

// nobody reads the rest, as in `story … | head -1`: the command ends as it would otherwise
process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
  if (cause.code !== 'EPIPE') throw cause
})

main().catch((cause: unknown) => {
  if (cause instanceof CommanderError) process.exit(cause.exitCode === 0 ? 0 : 2)
  process.stderr.write(`story: ${messageOf(cause)}\n`)
  process.exit(1)
})
