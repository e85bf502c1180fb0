import { parseArgs } from 'node:util'
import { messageOf } from '../../src/domain/message-of.ts'
import type { Mutant } from './mutant.ts'
import { mutants } from './mutants.ts'
import { runGuards, type GuardResults } from './run-guards.ts'

const HELP = `Plants one mistake after the other in the code that delivers events, and runs the test that is to notice.

  npx tsx test/mutants/main.ts [NAME ...] [--without-engines] [--list] [--json]

NAME               only these mistakes
--without-engines  leave out those that only a real Kafka shows
--list             what would be planted, and which test is to fail
--json             one JSON line in place of the report

Exits with 1 when a mistake goes unnoticed, or a guarding test fails without any.
`

interface MutantVerdict {
  readonly name: string
  readonly caught: boolean
  /** The tests that failed, or why that does not count. */
  readonly by: readonly string[]
}

async function main(): Promise<void> {
  const options = {
    'without-engines': { type: 'boolean' },
    list: { type: 'boolean' },
    json: { type: 'boolean' },
  } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { ...options, help: { type: 'boolean' } },
  })
  if (values.help) return void process.stdout.write(HELP)

  const chosen = chosenOf(positionals).filter(({ caughtBy }) => !values['without-engines'] || caughtBy.engines !== true)
  if (values.list) {
    chosen.forEach((one) => say(listed(one)))
    return
  }
  await sound(chosen)
  const verdicts = await judgeAll(chosen, (verdict) => {
    if (!values.json) say(verdictLine(verdict))
  })
  const caught = verdicts.filter((verdict) => verdict.caught).length
  if (values.json) say(JSON.stringify({ planted: chosen.length, caught, verdicts }))
  else say(`${caught} of ${chosen.length} planted mistakes caught`)
  process.exitCode = caught === chosen.length ? 0 : 1
}

function chosenOf(names: readonly string[]): readonly Mutant[] {
  const unknown = names.filter((name) => !mutants.some((one) => one.name === name))
  if (unknown.length > 0) throw new Error(`no such mutant: ${unknown.join(', ')}; --list names them`)
  return names.length === 0 ? mutants : mutants.filter(({ name }) => names.includes(name))
}

/** Without a mistake every guard must pass, or its failing would say nothing; and there must be such a test. */
async function sound(chosen: readonly Mutant[]): Promise<void> {
  const guards = chosen.map(({ caughtBy }) => caughtBy)
  const first = await runGuards(guards, null)
  const passed = [...first.passed]
  const again = guards.filter(({ test }) => first.failed.some((name) => name.startsWith(test)))
  if (again.length > 0) {
    // a test with engines may time out on a busy machine; one that fails twice is broken
    say(`run again, as they failed without any mistake: ${first.failed.join('; ')}`)
    const second = await runGuards(again, null)
    if (second.failed.length > 0) throw new Error(`fail without any mistake: ${second.failed.join('; ')}`)
    passed.push(...second.passed)
  }
  if (first.broken !== '') throw new Error(`fail without any mistake: ${first.broken}`)
  const absent = guards.filter(({ test }) => !passed.some((name) => name.startsWith(test)))
  if (absent.length > 0) throw new Error(`no such test: ${absent.map(({ test }) => test).join('; ')}`)
}

/** Two at a time: one waits while the other works. */
async function judgeAll(
  chosen: readonly Mutant[],
  onVerdict: (verdict: MutantVerdict) => void,
): Promise<readonly MutantVerdict[]> {
  const verdicts: MutantVerdict[] = []
  const waiting = [...chosen]
  const work = async (): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const verdict = await judge(mutant)
      verdicts.push(verdict)
      onVerdict(verdict)
    }
  }
  await Promise.all([work(), work()])
  return verdicts
}

async function judge(mutant: Mutant): Promise<MutantVerdict> {
  const run = () => runGuards([mutant.caughtBy], mutant.name)
  const first = await run()
  const results = hasRun(first) ? first : await run() // on a busy machine engines may not start
  return { name: mutant.name, caught: results.failed.length > 0, by: reasonsOf(results) }
}

const hasRun = ({ passed, failed, broken }: GuardResults): boolean => passed.length + failed.length + broken.length > 0

function reasonsOf(results: GuardResults): readonly string[] {
  if (!hasRun(results)) return ['no test ran']
  return results.broken === '' ? results.failed : [`could not be loaded: ${results.broken}`]
}

const verdictLine = ({ name, caught, by }: MutantVerdict): string =>
  `${caught ? 'caught  ' : 'MISSED  '} ${name.padEnd(52)} ${by[0] ?? ''}`

const listed = ({ name, file, caughtBy }: Mutant): string => `${name.padEnd(52)} ${file}: ${caughtBy.test} ...`

const say = (line: string): void => void process.stdout.write(`${line}\n`)

main().catch((cause: unknown) => {
  process.stderr.write(`${messageOf(cause)}\n`)
  process.exit(1)
})
