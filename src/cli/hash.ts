import { Argument, type Command } from 'commander'
import { hashView, type ViewHash, TABLES, type ViewName } from '../views/hash.ts'
import type { Wiring } from '../ports/wiring.ts'

interface HashOptions {
  readonly all?: true
  readonly json?: true
}

const views = Object.keys(TABLES).filter((name): name is ViewName => name in TABLES)

export const hashCommand = (program: Command, wiring: Wiring): void => {
  program
    .command('hash')
    .description('print a content hash of a view; equal content has an equal hash, whatever the order of writes')
    .addArgument(new Argument('[view]', 'name of the view').choices(views))
    .option('--all', 'all views')
    .option('--json', 'print one JSON line per view')
    .action((view: string | undefined, options: HashOptions) => hash(wiring, view, options))
}

async function hash(wiring: Wiring, view: string | undefined, { all, json }: HashOptions): Promise<void> {
  const chosen = all ? views : views.filter((name) => name === view)
  if (chosen.length === 0) throw new Error(`Name a view (${views.join(', ')}) or use --all`)

  const { out } = wiring
  const store = await wiring.store()
  for (const name of chosen) {
    const found = await hashView(store, name)
    if (json) out.json(found)
    else lines(found).forEach((line) => out.line(line))
  }
}

const lines = ({ view, rows, hash, tables }: ViewHash): readonly string[] => [
  `${view.padEnd(20)} ${hash}  ${rows} rows`,
  ...tables.map((one) => `  ${one.table.padEnd(18)} ${one.hash.padEnd(32)}  ${one.rows} rows`),
]
