import { Argument, type Command } from 'commander'
import { chosenStores, type StoreConfig } from '../config/stores.ts'
import { areReplicas } from '../domain/stores.ts'
import { hashView, type ViewHash, TABLES, type ViewName } from '../views/hash.ts'
import type { Wiring } from '../ports/wiring.ts'

interface HashOptions {
  readonly all?: true
  readonly store?: string
  readonly json?: true
}

const views = Object.keys(TABLES).filter((name): name is ViewName => name in TABLES)

export const hashCommand = (program: Command, wiring: Wiring): void => {
  program
    .command('hash')
    .description('print a content hash of a view; equal content has an equal hash, whatever the order of writes')
    .addArgument(new Argument('[view]', 'name of the view').choices(views))
    .option('--all', 'all views')
    .option('--store <name>', 'only this store, if there are several')
    .option('--json', 'print one JSON line per view')
    .action((view: string | undefined, options: HashOptions) => hash(wiring, view, options))
}

async function hash(wiring: Wiring, view: string | undefined, options: HashOptions): Promise<void> {
  const chosen = options.all ? views : views.filter((name) => name === view)
  if (chosen.length === 0) throw new Error(`Name a view (${views.join(', ')}) or use --all`)

  const stores = chosenStores(wiring.config, options.store)
  for (const name of chosen) {
    const hashes: StoreHash[] = []
    for (const scope of stores) hashes.push({ scope, ...(await hashView(await wiring.openStore(scope.name), name)) })
    print(wiring, hashes, options.json ? 'json' : 'lines')
    for (const [one, other] of different(hashes)) {
      process.exitCode = 1
      wiring.out.progress(`${name} differs between ${one} and ${other}. Have both read the same records (story lag)?\n`)
    }
  }
}

function print({ out }: Wiring, hashes: readonly StoreHash[], as: 'json' | 'lines'): void {
  const isOnly = hashes.length === 1
  for (const { scope, ...found } of hashes) {
    if (as === 'json') out.json(isOnly ? found : { store: scope.name, ...found })
    else lines(found, isOnly ? '' : `@${scope.name}`).forEach((line) => out.line(line))
  }
}

interface StoreHash extends ViewHash {
  readonly scope: StoreConfig
}

/** Pairs of stores that hold the same namespaces and differ. */
const different = (hashes: readonly StoreHash[]): readonly (readonly [string, string])[] =>
  hashes.flatMap((one, i) => {
    const other = hashes.slice(0, i).find(({ scope }) => areReplicas(scope, one.scope))
    return other === undefined || other.hash === one.hash ? [] : [[other.scope.name, one.scope.name] as const]
  })

const lines = ({ view, rows, hash, tables }: ViewHash, of: string): readonly string[] => [
  `${(view + of).padEnd(20)} ${hash}  ${rows} rows`,
  ...tables.map((one) => `  ${one.table.padEnd(18)} ${one.hash.padEnd(32)}  ${one.rows} rows`),
]
