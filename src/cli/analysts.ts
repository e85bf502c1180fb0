import { type Command, InvalidArgumentError } from 'commander'
import { privateNamespaceProblem } from '../operations/keys/create-key.ts'
import type { Analyst, Analysts } from '../engines/analysts/analysts.ts'
import { analystViews, viewsDocument } from '../engines/analysts/view-definitions.ts'
import { analystsOf } from '../operations/analysts.ts'
import type { Wiring } from '../ports/wiring.ts'

interface AnalystsOptions {
  readonly json?: true
  readonly dryRun?: true
}

export const analystsCommand = (program: Command, wiring: Wiring): void => {
  const group = program.command('analysts').description('read-only users of ClickHouse, one a private namespace')
  group
    .command('list')
    .description('who may read what')
    .option('--json', 'one JSON object')
    .action((options: AnalystsOptions) => list(wiring, options))
  group
    .command('views')
    .description('print what analysts may ask, each column with its meaning: what docs/analyst-views.md holds')
    .option('--json', 'one JSON object')
    .action((options: AnalystsOptions) => views(wiring, options))
  const changing = (name: string, description: string, run: AnalystsChange) =>
    group
      .command(name)
      .description(description)
      .argument('<namespace>', 'a private one', privateNamespace)
      .option('--json', 'one JSON object')
      .option('--dry-run', 'only say what would be done')
      .action((namespace: string, options: AnalystsOptions) => run(wiring, namespace, options))
  changing('create', 'for a namespace that has none; its password is shown once', create)
  changing('reset', 'a new password, shown once; the old one is refused', reset)
  changing('drop', 'user and views go, the data stays', drop)
}

type AnalystsChange = (wiring: Wiring, namespace: string, options: AnalystsOptions) => Promise<void>

export function privateNamespace(name: string): string {
  const problem = privateNamespaceProblem(name)
  if (problem !== null) throw new InvalidArgumentError(problem)
  return name
}

function views({ out }: Wiring, { json }: AnalystsOptions): void {
  const all = analystViews()
  if (json) out.json({ views: all.map(({ name, comment, columns }) => ({ name, comment, columns })) })
  else out.line(viewsDocument(all).trimEnd())
}

async function list(wiring: Wiring, { json }: AnalystsOptions): Promise<void> {
  const found = (await (await analystsOf(wiring)).list()).map(({ namespace, user, views }) => ({
    namespace,
    user,
    database: views,
  }))
  if (json) wiring.out.json({ analysts: found })
  else found.forEach(({ namespace, user, database }) => wiring.out.line(`${user}  reads ${namespace} in ${database}`))
}

async function create(wiring: Wiring, namespace: string, options: AnalystsOptions): Promise<void> {
  const all = await analystsOf(wiring)
  if (await all.has(namespace)) throw new Error(`${namespace} has an analyst: story analysts reset ${namespace}`)
  await put(wiring, all, { namespace, ...options })
}

async function reset(wiring: Wiring, namespace: string, options: AnalystsOptions): Promise<void> {
  const all = await analystsOf(wiring)
  if (!(await all.has(namespace))) throw new Error(`${namespace} has no analyst: story analysts create ${namespace}`)
  await put(wiring, all, { namespace, ...options })
}

async function put(
  { out }: Wiring,
  all: Analysts,
  wish: AnalystsOptions & { readonly namespace: string },
): Promise<void> {
  if (wish.dryRun) {
    if (wish.json) out.json({ dry_run: true, namespace: wish.namespace })
    else out.line(`Would make a password for the analyst of ${wish.namespace}.`)
    return
  }

  const analyst = await all.put(wish.namespace)
  if (wish.json) out.json({ namespace: wish.namespace, analyst })
  else print(analyst, out)
}

function print({ user, password, url, database }: Analyst, out: Wiring['out']): void {
  out.line(password)
  out.progress(`${user} reads database ${database} at ${url}. The password is shown this once.\n`)
}

async function drop(wiring: Wiring, namespace: string, { json, dryRun }: AnalystsOptions): Promise<void> {
  const all = await analystsOf(wiring)
  const there = dryRun ? await all.has(namespace) : await all.drop(namespace)
  if (!there) throw new Error(`${namespace} has no analyst`)
  if (json) wiring.out.json({ ...(dryRun && { dry_run: true }), namespace })
  else wiring.out.line(`The analyst of ${namespace} ${dryRun ? 'would be' : 'is'} gone.`)
}
