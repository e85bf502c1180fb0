import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { lookAt, type FinalState } from './checks.ts'
import { disturb, type Disturbance, type DisturbancePlan } from './disturb.ts'
import { startChaosEngines, type ChaosEngines } from './engines.ts'
import { settled } from './groups.ts'
import { ChaosRandom } from './random.ts'
import { recoveries, type Recovery } from './recovery.ts'
import { startSeats, stopAll, type SeatProgress, type Seat } from './service.ts'
import { chunks, importChunk, type WorkChunk } from './work.ts'

export interface ChaosOptions extends DisturbancePlan {
  /** At least so many are imported; more, while there are kills left. */
  readonly articles: number
  readonly atOnce: number
  readonly seed: number
  /** Processes of each kind, so members of every group. */
  readonly members: number
  readonly say: (line: string) => void
}

export interface ChaosReport {
  readonly chunks: readonly WorkChunk[]
  readonly left: FinalState
  readonly done: Disturbance
  readonly recoveries: readonly Recovery[]
  /** Ends of service processes that nobody asked for. */
  readonly crashes: readonly string[]
  /** How often an import had to be asked again. */
  readonly importsAgain: number
  readonly seconds: number
}

/** What a run works with. */
interface ChaosRun {
  readonly engines: ChaosEngines
  readonly log: KafkaLog
  readonly seats: readonly Seat[]
  /** In the order of time. */
  readonly progress: readonly SeatProgress[]
}

/** Enough for any run that ends: the kills come first. */
const MOST_ARTICLES = 100_000

/** A run with kills and troubles, and an import that lasts as long as they do. */
export async function disturbedRun(options: ChaosOptions): Promise<ChaosReport> {
  const { say, seed, articles, atOnce } = options
  return withService(options, async ({ engines, log, seats, progress }) => {
    const begun = performance.now()
    const over = new AbortController()
    const imported: WorkChunk[] = []
    let importsAgain = 0
    const work = async (): Promise<void> => {
      for (const chunk of chunks(MOST_ARTICLES, atOnce)) {
        if (over.signal.aborted && sum(imported) >= articles) return
        importsAgain += await importChunk(chunk, engines.environment)
        await settled(log)
        imported.push(chunk)
        say(`${sum(imported)} articles are in`)
      }
    }
    const [, done] = await Promise.all([
      work(),
      disturb({ engines, seats, log, random: new ChaosRandom(seed), progress, say }, options).finally(() =>
        over.abort(),
      ),
    ])
    await settled(log)
    return {
      ...{ chunks: imported, done, importsAgain },
      left: await lookAt(engines, log),
      crashes: seats.flatMap((seat) => seat.crashes),
      recoveries: recoveries(done.kills, progress, done.spans),
      seconds: (performance.now() - begun) / 1000,
    }
  })
}

/** The same imports with nothing in their way, one process of each kind. */
export async function undisturbedRun(imported: readonly WorkChunk[], options: ChaosOptions): Promise<FinalState> {
  return withService({ ...options, members: 1 }, async ({ engines, log }) => {
    for (const [i, chunk] of imported.entries()) {
      await importChunk(chunk, engines.environment)
      await settled(log)
      options.say(`undisturbed: ${sum(imported.slice(0, i + 1))} articles are in`)
    }
    return lookAt(engines, log)
  })
}

const sum = (of: readonly WorkChunk[]): number => of.reduce((all, { articles }) => all + articles, 0)

async function withService<Result>(
  { members, say }: ChaosOptions,
  use: (running: ChaosRun) => Promise<Result>,
): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), 'story-chaos-'))
  const engines = await startChaosEngines(home, say)
  const log = new KafkaLog({ brokers: engines.brokers, clientId: 'chaos' })
  const progress: SeatProgress[] = []
  const onProgress = (one: SeatProgress): void => void progress.push(one)
  let seats: readonly Seat[] = []
  let went = 'badly'
  try {
    seats = await startSeats({ home: engines.home, environment: engines.environment, onProgress }, members)
    const result = await use({ engines, log, seats, progress })
    went = 'well'
    return result
  } finally {
    await stopAll(seats)
    await log.close()
    await engines.stop()
    if (went === 'well') rmSync(home, { recursive: true, force: true })
    else say(`what was logged stays in ${join(home, 'logs')}`)
  }
}
