import { type Command, InvalidArgumentError } from 'commander'
import { readLag, readers } from '../operations/lag/lag.ts'
import { lags, type Lag, type LagReader } from '../operations/lag/lags.ts'
import type { Wiring } from '../ports/wiring.ts'

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
  const readers = chosen(named, wiring)
  const { clock, out } = wiring
  const log = await wiring.log()
  const before = options.for === 0 ? [] : await readLag(log, readers)
  const began = clock.now()
  if (options.for > 0) await clock.sleep(options.for * 1000)
  const after = await readLag(log, readers)
  const now = clock.now()
  const found = lags({ before, after, apart: (now - began) / 1000, now })
  if (options.json) out.json({ total: total(found), readers: found })
  else lines(options.all ? found : found.filter((one) => one.lag > 0)).forEach((line) => out.line(line))
  const { over } = options
  if (over !== undefined && found.some((one) => one.state !== 'pending' && one.lag > over)) process.exitCode = 1
}

function chosen(named: readonly string[], { config }: Wiring): readonly LagReader[] {
  const all = readers(config.stores)
  const unknown = named.filter((name) => !all.some((one) => one.name === name))
  if (unknown.length > 0) {
    throw new Error(`unknown consumer ${unknown.join(', ')}. Use one of ${all.map(({ name }) => name).join(', ')}`)
  }
  return named.length === 0 ? all : all.filter(({ name }) => named.includes(name))
}

const total = (found: readonly Lag[]): number => found.reduce((sum, one) => sum + one.lag, 0)

function lines(found: readonly Lag[]): readonly string[] {
  if (found.length === 0) return ['All consumers are caught up.']
  return found.map((one) => {
    const partition = `${one.reader.padEnd(18)} ${`${one.topic}[${one.partition}]`.padEnd(28)}`
    const waits = one.waiting_seconds === null ? '' : `, oldest ${rounded(one.waiting_seconds)} s`
    const rate = one.rate === null || one.rate <= 0 ? '' : `, ${rounded(one.rate)}/s`
    const left = one.seconds_left === null || one.seconds_left <= 0 ? '' : `, about ${rounded(one.seconds_left)} s left`
    return `${partition} ${String(one.lag).padStart(8)} behind  ${one.state.replace('_', ' ')}${waits}${rate}${left}`
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
