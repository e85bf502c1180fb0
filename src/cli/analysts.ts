import { type Command, InvalidArgumentError } from 'commander'
import { analystViews, viewsDocument } from '../engines/analysts/views.ts'
import { privateNamespaceProblem } from '../operations/keys/create-key.ts'
import { analystsOf } from '../operations/analysts.ts'
import type { Wiring } from '../ports/wiring.ts'
import type { CommandOptions } from '../operations/options.ts'

export const analystsCommand = (program: Command, wiring: Wiring): void => {
  const group = program
    .command('analysts')
    .description('manage read-only ClickHouse users, one for each private namespace')
  group
    .command('list')
    .description('list analysts and the namespace that each can read')
    .option('--json', 'print one JSON object')
    .action((options: CommandOptions) => list(wiring, options))
  group
    .command('views')
    .description('print the views for analysts with all columns (the content of docs/analyst-views.md)')
    .option('--json', 'print one JSON object')
    .action((options: CommandOptions) => views(wiring, options))
  const changing = (name: string, description: string, run: AnalystsChange) =>
    group
      .command(name)
      .description(description)
      .argument('<namespace>', 'private namespace', privateNamespace)
      .option('--json', 'print one JSON object')
      .option('--dry-run', 'print what would be done, change nothing')
      .action((namespace: string, options: CommandOptions) => run(wiring, namespace, options))
  changing('create', 'create an analyst for a namespace that has none; the password is shown once', put('create'))
  changing('reset', 'replace the password; the new one is shown once, the old one stops working', put('reset'))
  changing('drop', 'delete an analyst with its views; the data of the namespace is kept', drop)
}

type AnalystsChange = (wiring: Wiring, namespace: string, options: CommandOptions) => Promise<void>

export function privateNamespace(name: string): string {
  const problem = privateNamespaceProblem(name)
  if (problem !== null) throw new InvalidArgumentError(problem)
  return name
}

function views({ out }: Wiring, { json }: CommandOptions): void {
  const all = analystViews()
  if (json) out.json({ views: all.map(({ name, comment, columns }) => ({ name, comment, columns })) })
  else out.line(viewsDocument(all).trimEnd())
}

async function list(wiring: Wiring, { json }: CommandOptions): Promise<void> {
  const found = (await (await analystsOf(wiring)).list()).map(({ namespace, user, views }) => ({
    namespace,
    user,
    database: views,
  }))
  if (json) wiring.out.json({ analysts: found })
  else found.forEach(({ namespace, user, database }) => wiring.out.line(`${user}  reads ${namespace} in ${database}`))
}

const put =
  (command: 'create' | 'reset'): AnalystsChange =>
  async (wiring, namespace, { json, dryRun }) => {
    const { out } = wiring
    const all = await analystsOf(wiring)
    checkPresence(namespace, command, await all.has(namespace))
    if (dryRun) {
      if (json) out.json({ dry_run: true, namespace })
      else out.line(`Would create a password for the analyst of ${namespace}.`)
      return
    }

    const analyst = await all.put(namespace)
    if (json) out.json({ namespace, analyst })
    else {
      const { user, password, url, database } = analyst
      out.line(password)
      out.progress(`${user} reads database ${database} at ${url}. The password is not shown again.\n`)
    }
  }

function checkPresence(namespace: string, command: 'create' | 'reset', isThere: boolean): void {
  if (command === 'create' && isThere)
    throw new Error(`${namespace} already has an analyst. To replace its password: story analysts reset ${namespace}`)
  if (command === 'reset' && !isThere)
    throw new Error(`${namespace} has no analyst. To create one: story analysts create ${namespace}`)
}

async function drop(wiring: Wiring, namespace: string, { json, dryRun }: CommandOptions): Promise<void> {
  const all = await analystsOf(wiring)
  const there = dryRun ? await all.has(namespace) : await all.drop(namespace)
  if (!there) throw new Error(`${namespace} has no analyst`)
  if (json) wiring.out.json({ ...(dryRun && { dry_run: true }), namespace })
  else wiring.out.line(`The analyst of ${namespace} ${dryRun ? 'would be' : 'was'} deleted.`)
}
