import { type Command, InvalidArgumentError } from 'commander'
import { privateNamespaceProblem } from '../operations/keys/create-key.ts'
import type { Analyst, Analysts } from '../engines/analysts/analysts.ts'
import { analystViews, viewsDocument } from '../engines/analysts/views.ts'
import { analystsOf } from '../operations/analysts.ts'
import type { Wiring } from '../ports/wiring.ts'

interface AnalystsOptions {
  readonly json?: true
  readonly dryRun?: true
}

export const analystsCommand = (program: Command, wiring: Wiring): void => {
  const group = program
    .command('analysts')
    .description('manage read-only ClickHouse users, one for each private namespace')
  group
    .command('list')
    .description('list analysts and the namespace that each can read')
    .option('--json', 'print one JSON object')
    .action((options: AnalystsOptions) => list(wiring, options))
  group
    .command('views')
    .description('print the views for analysts with all columns (the content of docs/analyst-views.md)')
    .option('--json', 'print one JSON object')
    .action((options: AnalystsOptions) => views(wiring, options))
  const changing = (name: string, description: string, run: AnalystsChange) =>
    group
      .command(name)
      .description(description)
      .argument('<namespace>', 'private namespace', privateNamespace)
      .option('--json', 'print one JSON object')
      .option('--dry-run', 'print what would be done, change nothing')
      .action((namespace: string, options: AnalystsOptions) => run(wiring, namespace, options))
  changing('create', 'create an analyst for a namespace that has none; the password is shown once', create)
  changing('reset', 'replace the password; the new one is shown once, the old one stops working', reset)
  changing('drop', 'delete an analyst with its views; the data of the namespace is kept', drop)
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
  if (await all.has(namespace))
    throw new Error(`${namespace} already has an analyst. To replace its password: story analysts reset ${namespace}`)
  await put(wiring, all, { namespace, ...options })
}

async function reset(wiring: Wiring, namespace: string, options: AnalystsOptions): Promise<void> {
  const all = await analystsOf(wiring)
  if (!(await all.has(namespace)))
    throw new Error(`${namespace} has no analyst. To create one: story analysts create ${namespace}`)
  await put(wiring, all, { namespace, ...options })
}

async function put(
  { out }: Wiring,
  all: Analysts,
  wish: AnalystsOptions & { readonly namespace: string },
): Promise<void> {
  if (wish.dryRun) {
    if (wish.json) out.json({ dry_run: true, namespace: wish.namespace })
    else out.line(`Would create a password for the analyst of ${wish.namespace}.`)
    return
  }

  const analyst = await all.put(wish.namespace)
  if (wish.json) out.json({ namespace: wish.namespace, analyst })
  else print(analyst, out)
}

function print({ user, password, url, database }: Analyst, out: Wiring['out']): void {
  out.line(password)
  out.progress(`${user} reads database ${database} at ${url}. The password is not shown again.\n`)
}

async function drop(wiring: Wiring, namespace: string, { json, dryRun }: AnalystsOptions): Promise<void> {
  const all = await analystsOf(wiring)
  const there = dryRun ? await all.has(namespace) : await all.drop(namespace)
  if (!there) throw new Error(`${namespace} has no analyst`)
  if (json) wiring.out.json({ ...(dryRun && { dry_run: true }), namespace })
  else wiring.out.line(`The analyst of ${namespace} ${dryRun ? 'would be' : 'was'} deleted.`)
}
