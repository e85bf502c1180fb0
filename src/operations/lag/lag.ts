import { type Command, InvalidArgumentError } from 'commander'
import { pipeline } from '../../pipeline.ts'
import { viewGroup, type Log } from '../../ports/log.ts'
import { topicsOfView } from '../topology.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { lagOf, lags, type Lag, type LagReader, type PartitionLag } from './lags.ts'

interface LagOptions {
  readonly for: number
  readonly over?: number
  readonly all?: true
  readonly json?: true
}

export const lagCommand = (program: Command, wiring: Wiring): void => {
  program
    .command('lag')
    .description('print the consumer lag of each stage and view, its rate and the age of the oldest unread record')
    .argument('[reader...]', 'consumers to print, named as in `story start`: clustered, view:articles (default: all)')
    .option('--for <seconds>', 'seconds between two measurements, to compute rates; 0 measures once', seconds, 2)
    .option('--over <records>', 'exit with 1 if the lag of a consumer exceeds <records> (for scripts)', records)
    .option('--all', 'include consumers without lag')
    .option('--json', 'print one JSON object')
    .action((named: readonly string[], options: LagOptions) => lag(wiring, named, options))
}

async function lag(wiring: Wiring, named: readonly string[], options: LagOptions): Promise<void> {
  const readers = chosen(named)
  const { clock, out } = wiring
  const log = await wiring.log()
  const before = options.for === 0 ? [] : await look(log, readers)
  const began = clock.now()
  if (options.for > 0) await clock.sleep(options.for * 1000)
  const after = await look(log, readers)
  const now = clock.now()
  const found = lags({ before, after, apart: (now - began) / 1000, now })
  if (options.json) out.json({ total: total(found), readers: found })
  else lines(options.all ? found : found.filter((one) => one.lag > 0)).forEach((line) => out.line(line))
  const { over } = options
  if (over !== undefined && found.some((one) => one.state !== 'pending' && one.lag > over)) process.exitCode = 1
}

/** Every consumer group of the pipeline. */
export function readers(): readonly LagReader[] {
  const stages = Object.entries(pipeline.stages).map(([name, { reads }]) => ({ name, group: name, topics: reads }))
  const views = pipeline.views.map((view) => {
    const group = viewGroup(view.name)
    return { name: group, group, topics: topicsOfView(view) }
  })
  const effects = Object.values(pipeline.effects).map(({ group, follows }) => ({
    name: group,
    group,
    topics: [follows],
  }))
  return [
    ...stages.map((one) => ({ ...one, commitsBehind: false })),
    ...effects.map((one) => ({ ...one, commitsBehind: true })),
    ...views.map((one) => ({ ...one, commitsBehind: false })),
  ]
}

function chosen(named: readonly string[]): readonly LagReader[] {
  const all = readers()
  const unknown = named.filter((name) => !all.some((one) => one.name === name))
  if (unknown.length > 0) {
    throw new Error(`unknown consumer ${unknown.join(', ')}. Use one of ${all.map(({ name }) => name).join(', ')}`)
  }
  return named.length === 0 ? all : all.filter(({ name }) => named.includes(name))
}

async function look(log: Log, of: readonly LagReader[]): Promise<readonly PartitionLag[]> {
  const found = await Promise.all(
    of.flatMap(({ name, group, topics, commitsBehind }) =>
      topics.map(async (topic) => {
        const [committed, starts] = await Promise.all([log.committed(group, topic), log.starts(topic)])
        const ends = await log.ends(topic)
        return Promise.all(
          ends.map(async (end, partition): Promise<PartitionLag> => {
            const at = {
              reader: name,
              topic,
              partition,
              commitsBehind,
              ...behind(committed[partition], starts[partition], end),
            }
            const oldest = lagOf(at) === 0 ? null : await loggedAt(log, at)
            // what is left are marks of transactions, which no reader sees and nobody need commit
            return oldest === null ? { ...at, committed: end, oldest } : { ...at, oldest }
          }),
        )
      }),
    ),
  )
  return found.flat()
}

/** What the log has let go is not waiting any more. */
const behind = (committed: number | null | undefined, start = 0, end: number) => ({
  committed: start > (committed ?? 0) ? start : (committed ?? null),
  end,
})

/** When the log took the first record that is not read for good; null where only markers are left, or it was deleted. */
async function loggedAt(
  log: Log,
  { topic, partition, committed }: Omit<PartitionLag, 'oldest'>,
): Promise<number | null> {
  for await (const [first] of log.read(topic, partition, committed ?? 0)) return first?.loggedAt ?? null
  return null
}

const total = (found: readonly Lag[]): number => found.reduce((sum, one) => sum + one.lag, 0)

function lines(found: readonly Lag[]): readonly string[] {
  if (found.length === 0) return ['All consumers are caught up.']
  return found.map((one) => {
    const place = `${one.reader.padEnd(18)} ${`${one.topic}[${one.partition}]`.padEnd(28)}`
    const waits = one.waiting_seconds === null ? '' : `, oldest ${rounded(one.waiting_seconds)} s`
    const rate = one.rate === null || one.rate <= 0 ? '' : `, ${rounded(one.rate)}/s`
    const left = one.seconds_left === null || one.seconds_left <= 0 ? '' : `, about ${rounded(one.seconds_left)} s left`
    return `${place} ${String(one.lag).padStart(8)} behind  ${one.state.replace('_', ' ')}${waits}${rate}${left}`
  })
}

const rounded = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0))

const seconds = (text: string): number => atLeastZero(text, 'seconds')
const records = (text: string): number => atLeastZero(text, 'records')

function atLeastZero(text: string, of: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
    throw new InvalidArgumentError(`expected a number of ${of}, 0 or more`)
  }
  return value
}
