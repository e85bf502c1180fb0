import { z } from 'zod'
import { askCli } from '../wiring/up/service.ts'
import { asLine, importableFile, importFile, type OwnService } from './own-service.ts'
import type { BenchPart, BenchSetting } from './part.ts'
import { timed } from './rounds.ts'

export const replay: BenchPart = {
  says: 'rebuild of all views beside the running service, compared with the import',
  inService: async (setting, service) => {
    const figures = await measure(setting, service)
    return { figures, lines: table(figures) }
  },
}

const Rebuilt = z.object({ view: z.string(), records: z.number(), seconds: z.number(), exchanged: z.boolean() })
const Hash = z.object({ view: z.string(), hash: z.string() })

/** Of fewer, what a rebuild does once, however much there is (its start, its tables, their exchange), would be measured. */
const LEAST = 3_000

/**
 * Articles through the whole service, models and all, as fast as it takes them, few ones over again in other namespaces; then
 * every view again from the stored results, beside the same service. Events are counted alike in both.
 */
async function measure({ articles }: BenchSetting, service: OwnService) {
  const rounds = Math.ceil(LEAST / articles.length)
  const file = await importableFile(service.home, articles.map(asLine))
  const live = await timed(() => importRounds(service, file, rounds))
  const before = await hashes(service)
  const rebuild = await timed(() => story(service, 'rebuild', '--all', '--json'))
  const [live_seconds, rebuild_seconds] = [live.ms / 1000, rebuild.ms / 1000]
  const rebuilt = rebuild.result.map((line) => Rebuilt.parse(line))
  const events = rebuilt.reduce((sum, { records }) => sum + records, 0)
  return {
    articles: rounds * articles.length,
    /** Records of all topics that views are made of: what the import wrote, and what the rebuild read. */
    events,
    live_seconds,
    live_events_a_second: events / live_seconds,
    rebuild_seconds,
    rebuild_events_a_second: events / rebuild_seconds,
    speedup: live_seconds / rebuild_seconds,
    /** True: every rebuilt view has the hash that the live one had. */
    same: rebuilt.every(({ exchanged }) => exchanged) && before.join() === (await hashes(service)).join(),
  }
}

/** Until the last round is readable; one log, so the others are. */
async function importRounds(service: OwnService, file: string, rounds: number): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    await importFile(service, file, '--namespace', `replay-${round}`, ...(round === rounds ? ['--wait'] : []))
  }
}

const hashes = async (service: OwnService): Promise<readonly string[]> =>
  (await story(service, 'hash', '--all', '--json'))
    .map((line) => Hash.parse(line))
    .map(({ view, hash }) => `${view} ${hash}`)

/** A command of the CLI against the service: its lines of JSON. */
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
