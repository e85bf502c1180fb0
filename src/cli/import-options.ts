import type { Command } from 'commander'
import { isNamespace, SHARED } from '../domain/intake/articles.ts'
import type { FilesPorts } from '../sources/import-files.ts'
import { progressOn } from '../sources/progress.ts'
import type { Wiring } from '../ports/wiring.ts'

/** As commander reads them from the command line. */
export interface ImportOptions {
  readonly namespace: string
  readonly rate?: string
  readonly wait?: true
  readonly restart?: true
  readonly strict?: true
  readonly map?: readonly string[]
  readonly separator?: string
  readonly dryRun?: true
  readonly json?: true
}

/** What every import can be asked for. */
export const withImportOptions = (command: Command, what: string): Command =>
  command
    .option('--namespace <name>', `namespace of the ${what}`, SHARED)
    .option('--rate <number>', `maximum number of ${what} per second`)
    .option('--wait', `wait until all ${what} can be queried`)
    .option('--strict', 'exit with 1 if anything is refused (default: only if nothing is accepted)')
    .option('--dry-run', 'print what would be accepted and refused, publish nothing')
    .option('--json', 'print one JSON object')

/** Throws a sentence that names the wrong option. */
export function checkedOptions({ namespace, rate }: ImportOptions): { namespace: string; rate: number | null } {
  if (!isNamespace(namespace)) {
    throw new Error(`--namespace ${namespace}: expected 3 to 40 lower-case letters, digits and hyphens`)
  }
  const number = rate === undefined ? null : Number(rate)
  if (number !== null && !(number > 0)) throw new Error(`--rate ${rate ?? ''}: expected a number above 0`)
  return { namespace, rate: number }
}

/** The ports of an import; its progress goes to stderr, in place where that is a terminal. */
export function importPorts(wiring: Wiring): FilesPorts {
  const screen = { live: process.stderr.isTTY, say: (text: string) => wiring.out.progress(text) }
  return {
    log: () => wiring.log(),
    codec: () => wiring.codec(),
    store: () => wiring.store(),
    clock: wiring.clock,
    home: wiring.config.home,
    stdin: process.stdin,
    progress: progressOn(screen, wiring.clock),
  }
}

/** Refusals a person wants to read on a terminal; the rest is in `--json`. */
const SHOWN = 20

export function sayRefusals(wiring: Wiring, refusals: readonly string[]): void {
  // Values and addresses come from files and feeds: nothing of them may steer a terminal.
  refusals.slice(0, SHOWN).forEach((line) => wiring.out.line(line.replace(/\p{Cc}/gu, '\ufffd')))
  if (refusals.length > SHOWN) wiring.out.line(`... and ${refusals.length - SHOWN} more (--json lists all)`)
}
