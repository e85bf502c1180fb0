import type { Command } from 'commander'
import { SHARED } from '../domain/intake/articles.ts'
import type { FilesPorts } from '../sources/import-files.ts'
import { type CommandOptions, checkedNamespace } from '../operations/options.ts'
import { progressOf } from '../operations/progress.ts'
import type { Wiring } from '../ports/wiring.ts'

/** Options as parsed by commander. */
export interface ImportOptions extends CommandOptions {
  readonly namespace: string
  readonly rate?: string
  readonly wait?: true
  readonly restart?: true
  readonly strict?: true
  readonly map?: readonly string[]
  readonly separator?: string
}

/** Adds the options that every import has. */
export const withImportOptions = (command: Command, what: string): Command =>
  command
    .option('--namespace <name>', `namespace of the ${what}`, SHARED)
    .option('--rate <number>', `maximum number of ${what} per second`)
    .option('--wait', `wait until all ${what} can be queried`)
    .option('--strict', 'exit with 1 if anything is refused (default: only if nothing is accepted)')
    .option('--dry-run', 'print what would be accepted and refused, publish nothing')
    .option('--json', 'print one JSON object')

/** Throws an error that names the invalid option. */
export function checkedOptions(options: ImportOptions): { namespace: string; rate: number | null } {
  const namespace = checkedNamespace(options.namespace)
  const { rate } = options
  const number = rate === undefined ? null : Number(rate)
  if (number !== null && !(number > 0)) throw new Error(`--rate ${rate ?? ''}: expected a number above 0`)
  return { namespace, rate: number }
}

/** The ports of an import. Progress goes to stderr, in place if it is a terminal. */
export const importPorts = (wiring: Wiring): FilesPorts => ({
  ...wiring,
  log: () => wiring.viewedLog(),
  home: wiring.config.home,
  stdin: process.stdin,
  progress: progressOf(wiring),
})

/** Maximum number of refusals to print; `--json` has all of them. */
const SHOWN = 20

export function printRefusals(wiring: Wiring, refusals: readonly string[]): void {
  // Values and addresses come from files and feeds: control characters must not reach the terminal.
  refusals.slice(0, SHOWN).forEach((line) => wiring.out.line(line.replace(/\p{Cc}/gu, '\ufffd')))
  if (refusals.length > SHOWN) wiring.out.line(`... and ${refusals.length - SHOWN} more (--json lists all)`)
}
