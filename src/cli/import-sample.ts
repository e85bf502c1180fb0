import { type Command, InvalidArgumentError } from 'commander'
import { SHARED } from '../domain/intake/articles.ts'
import { projectPath } from '../config/project-path.ts'
import { importSample } from '../sources/sample/import-sample.ts'
import { type CommandOptions, checkedNamespace } from '../operations/options.ts'
import { importPorts } from './import-options.ts'
import { counted, outcomeOf, checkOutcome, printTally, reportOf } from './import-report.ts'
import type { Wiring } from '../ports/wiring.ts'

interface ImportSampleOptions extends CommandOptions {
  readonly namespace: string
  readonly at?: number
  readonly wait?: true
  readonly past: boolean
  readonly stream: boolean
}

export const importSampleCommand = (group: Command, wiring: Wiring): void => {
  group
    .command('sample')
    .description('import the sample: news of 14 days, dated relative to now; its last part arrives as live news does')
    .option('--at <time>', 'time that the dates are relative to (ISO 8601; default: now)', instant)
    .option('--namespace <name>', 'namespace of the articles and posts', SHARED)
    .option('--wait', 'wait until all articles dated before then can be queried')
    .option('--no-stream', 'leave out what is dated after that time')
    .option('--no-past', 'leave out what is dated before that time')
    .option('--json', 'print one JSON object')
    .addHelpText('after', ABOUT)
    .action((options: ImportSampleOptions) => run(wiring, options))
}

const ABOUT = `
What is dated later is published when its time comes, over about two hours. To continue an import that was interrupted,
repeat it with the same --at: what is known changes nothing.

The texts come from two openly licensed corpora, ECB+ and NTREX-128 (translations of English news); the posts were
written for demonstration. All dates are invented. See samples/NOTICE.md.`

function instant(text: string): number {
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw new InvalidArgumentError('Use ISO 8601: 2026-11-20T08:30:00Z.')
  return at
}

async function run(wiring: Wiring, options: ImportSampleOptions): Promise<void> {
  const { clock, out } = wiring
  const startedAt = clock.now()
  const { namespace, at = startedAt, past, stream, wait = false, json } = options
  const what = { folder: projectPath('samples'), namespace: checkedNamespace(namespace), at, past, stream, wait }
  const { tally, posts } = await importSample(what, importPorts(wiring))
  const seconds = (clock.now() - startedAt) / 1_000
  if (json) out.json({ ...reportOf(tally, seconds), posts, at: new Date(at).toISOString() })
  else {
    printTally(wiring, tally, { seconds, unit: 'item' })
    out.line(`${counted(posts, 'post')}; dates are relative to ${new Date(at).toISOString()}`)
  }
  checkOutcome({ ...outcomeOf(tally), strict: false, emptyIsFailure: past })
}
