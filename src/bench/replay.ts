import { z } from 'zod'
import { askCli } from '../wiring/up/service.ts'
import { asLine, importableFile, importFile, type OwnService } from './own-service.ts'
import type { BenchPart, BenchSetting } from './part.ts'
import { timed } from './rounds.ts'

export const replay: BenchPart = {
  about: 'rebuild of all views beside the running service, compared with the import',
  inService: async (setting, service) => {
    const figures = await measure(setting, service)
    return { figures, lines: table(figures) }
  },
}

const Rebuilt = z.object({ view: z.string(), records: z.number(), seconds: z.number(), exchanged: z.boolean() })
const Hash = z.object({ view: z.string(), hash: z.string() })

/** With fewer articles, the fixed cost of a rebuild (its start, creating tables and exchanging them) would dominate. */
const MIN_ARTICLES = 3_000

/**
 * Runs articles through the whole service, including the models, as fast as possible. If there are few, they are
 * imported again into further namespaces. Then rebuilds every view from the stored results next to the running service.
 * Both runs count the same events.
 */
async function measure({ articles }: BenchSetting, service: OwnService) {
  const rounds = Math.ceil(MIN_ARTICLES / articles.length)
  const file = await importableFile(service.home, articles.map(asLine))
  const live = await timed(() => importRounds(service, file, rounds))
  const before = await hashes(service)
  const rebuild = await timed(() => story(service, 'rebuild', '--all', '--json'))
  const [live_seconds, rebuild_seconds] = [live.ms / 1000, rebuild.ms / 1000]
  const rebuilt = rebuild.result.map((line) => Rebuilt.parse(line))
  const events = rebuilt.reduce((sum, { records }) => sum + records, 0)
  return {
    articles: rounds * articles.length,
    /** Records of all topics that views consume: those that the import wrote and the rebuild read. */
    events,
    live_seconds,
    live_events_a_second: events / live_seconds,
    rebuild_seconds,
    rebuild_events_a_second: events / rebuild_seconds,
    speedup: live_seconds / rebuild_seconds,
    /** `true` if every rebuilt view has the same hash as the live view. */
    same: rebuilt.every(({ exchanged }) => exchanged) && before.join() === (await hashes(service)).join(),
  }
}

/** Waits until the last round is readable. All rounds share a log, so the earlier ones are readable, too. */
async function importRounds(service: OwnService, file: string, rounds: number): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    await importFile(service, file, '--namespace', `replay-${round}`, ...(round === rounds ? ['--wait'] : []))
  }
}

const hashes = async (service: OwnService): Promise<readonly string[]> =>
  (await story(service, 'hash', '--all', '--json'))
    .map((line) => Hash.parse(line))
    .map(({ view, hash }) => `${view} ${hash}`)

/** Runs a CLI command against the service. Returns its parsed JSON lines. */
const story = async (service: OwnService, ...args: string[]): Promise<readonly unknown[]> =>
  (await askCli(service, args))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)

const table = (f: Awaited<ReturnType<typeof measure>>): readonly string[] => [
  `  live, models and all  ${f.live_events_a_second.toFixed(0).padStart(8)} events a second (${f.events} of ${f.articles} articles in ${f.live_seconds.toFixed(1)} s)`,
  `  rebuild               ${f.rebuild_events_a_second.toFixed(0).padStart(8)} events a second (${f.events} in ${f.rebuild_seconds.toFixed(1)} s)`,
  `  so many times faster  ${f.speedup.toFixed(1).padStart(8)}`,
  `  hashes                ${f.same ? 'the same' : 'DIFFERENT'}`,
]
