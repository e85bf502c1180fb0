import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { ArticleIngested } from '../events/articles.ts'
import type { OwnService } from './own-service.ts'
import { asFile, importFile } from './whole-bench.ts'

export interface ReplayFigure {
  readonly articles: number
  /** Records of all topics that views are made of: what the import wrote, and what the rebuild read. */
  readonly events: number
  readonly live_seconds: number
  readonly live_events_a_second: number
  readonly rebuild_seconds: number
  readonly rebuild_events_a_second: number
  readonly speedup: number
  /** True: every rebuilt view has the hash that the live one had. */
  readonly same: boolean
}

const Rebuilt = z.object({ view: z.string(), records: z.number(), seconds: z.number(), exchanged: z.boolean() })
const Hash = z.object({ view: z.string(), hash: z.string() })

/** Of fewer, what a rebuild does once, however much there is (its start, its tables, their exchange), would be measured. */
const LEAST = 3_000

/**
 * Articles through the whole service, models and all, as fast as it takes them, few ones over again in other namespaces; then
 * every view again from the stored results, beside the same service. Events are counted alike in both.
 */
export async function benchReplay(service: OwnService, articles: readonly ArticleIngested[]): Promise<ReplayFigure> {
  if (articles.length === 0) throw new Error('there is no article to replay')
  const rounds = Math.ceil(LEAST / articles.length)
  const seconds = await importRounds(service, articles, rounds)
  const before = await hashes(service)
  const startedAt = performance.now()
  const rebuilt = (await story(service, 'rebuild', '--all', '--json')).map((line) => Rebuilt.parse(line))
  const rebuildSeconds = (performance.now() - startedAt) / 1000
  const events = rebuilt.reduce((sum, { records }) => sum + records, 0)
  const [live, replay] = [events / seconds, events / rebuildSeconds]
  return {
    articles: rounds * articles.length,
    events,
    live_seconds: seconds,
    live_events_a_second: live,
    rebuild_seconds: rebuildSeconds,
    rebuild_events_a_second: replay,
    speedup: replay / live,
    same: rebuilt.every(({ exchanged }) => exchanged) && before.join() === (await hashes(service)).join(),
  }
}

/** Seconds until the last round is readable; one log, so the others are. */
async function importRounds(
  service: OwnService,
  articles: readonly ArticleIngested[],
  rounds: number,
): Promise<number> {
  const file = await asFile(service, articles)
  const startedAt = performance.now()
  for (let round = 1; round <= rounds; round++) {
    await importFile(service, file, '--namespace', `replay-${round}`, ...(round === rounds ? ['--wait'] : []))
  }
  return (performance.now() - startedAt) / 1000
}

const hashes = async (service: OwnService): Promise<readonly string[]> =>
  (await story(service, 'hash', '--all', '--json'))
    .map((line) => Hash.parse(line))
    .map(({ view, hash }) => `${view} ${hash}`)

/** A command of the CLI against the service: its lines of JSON. */
async function story({ command, environment }: OwnService, ...args: string[]): Promise<readonly unknown[]> {
  const [program, ...first] = command
  const { stdout } = await promisify(execFile)(program, [...first, ...args], { env: environment })
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as unknown)
}
