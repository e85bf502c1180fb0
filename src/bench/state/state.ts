import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clusteringModel } from '../../adapters/model-files.ts'
import { PlainCodec } from '../../adapters/plain-codec.ts'
import { withHugePages } from '../../engines/huge-pages.ts'
import { stringEntries } from '../string-entries.ts'
import type { BenchPart, BenchResult, BenchSetting } from '../part.ts'
import { realArticles } from '../real-articles.ts'
import { median } from '../rounds.ts'
import { MIN_BASES, readBases, writeBases } from './bases-file.ts'
import { codeHash } from './code-hash.ts'
import { changelogPath } from './decide.ts'
import { runDecider, type DecideArguments } from './decider.ts'
import { liveStories, sameChoiceShare, storedStories } from './exhaustive.ts'
import { stateLines, type StateFigures } from './lines.ts'
import { measureRestarts, type RestartFigure, type RestartFigures } from './restarts.ts'
import { stateWorld, type StateWorld } from './world.ts'

export const state: BenchPart = {
  about:
    'the clusterer with --articles articles of a generated world: memory, decision, changelog, restarts (hours for 1,000,000)',
  alone: measure,
}

const MOST_SAMPLES = 2_000

/** Fewer for a small world, in which each sample is a larger share of the work. */
const samplesFor = (articles: number): number => Math.min(MOST_SAMPLES, Math.max(50, Math.floor(articles / 50)))

async function measure(setting: BenchSetting): Promise<BenchResult> {
  const { wiring, requested: articles } = setting
  const { source, articles: real } = await realArticles(setting, MIN_BASES)
  const folder = join(wiring.config.cache, 'bench-state', `${articles}`)
  mkdirSync(folder, { recursive: true })
  const bases = join(folder, 'bases.json')
  writeBases(bases, real)
  const given = { bases, articles, samples: samplesFor(articles), folder, environment: environmentFor(setting) }
  discardOtherRun(folder, codeHash(bases))

  const decided = await decidedFigures(setting, given)
  const restarts = await measureRestarts(wiring, {
    changelog: changelogPath(folder),
    next: [0, 1, 2, 3].map((i) => decided.world.article(articles + i)),
    environment: given.environment,
  })
  rmSync(folder, { recursive: true }) // gigabytes, and complete
  const figures: StateFigures = { made_of: source, ...decided.figures, ...restartFigures(restarts) }
  return { figures, lines: stateLines(figures) }
}

/** The budget is large enough for all articles: the bench measures a state, not its eviction. */
function environmentFor({ wiring, requested }: BenchSetting): Record<string, string> {
  const { cache, clustered } = wiring.config
  const budget = Math.max(clustered.membersInMemory, requested + MOST_SAMPLES)
  return withHugePages({
    ...stringEntries(wiring.environment),
    ...{ STORY_CACHE: cache, CLUSTER_MEMBERS_IN_MEMORY: `${budget}` },
  })
}

/** An interrupted run is continued only with the same code and the same world. */
function discardOtherRun(folder: string, hash: string): void {
  const path = join(folder, 'code')
  if (existsSync(path) && readFileSync(path, 'utf8') === hash) return
  rmSync(join(folder, 'progress.json'), { force: true })
  rmSync(changelogPath(folder), { force: true })
  writeFileSync(path, hash)
}

async function decidedFigures({ wiring }: BenchSetting, given: DecideArguments) {
  const { articles, samples, folder } = given
  const onProgress = (line: string): void => wiring.out.progress(`state: ${line}`)
  const { progress, choices, inTurn, peak_mb } = await runDecider(given, (reached) =>
    onProgress(
      `${reached.articles} of ${articles} articles, ${(reached.cpuMs / reached.articles).toFixed(2)} CPU ms each, ${reached.rss_mb.toFixed(0)} MB`,
    ),
  )
  const codec = new PlainCodec()
  const model = clusteringModel()
  const world = stateWorld(readBases(given.bases), articles + samples)
  const path = changelogPath(folder)
  onProgress('the stories are read from the changelog ...')
  const stories = await storedStories(path, codec)
  onProgress(`${samples} decisions are compared with every story ...`)
  const sameChoice = await sameChoiceShare(stories, choices, {
    ...{ path, codec, world, model },
    onProgress: (read) => onProgress(`${read} of ${stories.size} stories are compared`),
  })
  const figures = {
    articles,
    live_stories: liveStories(stories, lastTime(world, articles), model.weights.join.window_days),
    rss_mb: peak_mb,
    decision_ms_median: median(progress.decisions),
    decision_ms_quarter: inTurn?.quarter ?? null,
    decision_growth: inTurn === null ? null : inTurn.all / inTurn.quarter,
    articles_per_s: (articles / progress.cpuMs) * 1000,
    same_choice: sameChoice,
    samples: choices.length,
    bytes_per_article: progress.recordBytes / articles,
  }
  return { figures, world }
}

const lastTime = (world: StateWorld, articles: number): number => world.article(articles - 1).occurred_at

function restartFigures({ warm, cold, standby }: RestartFigures) {
  const named = { restart_s: warm, cold_restart_s: cold, standby_s: standby }
  const reason = (name: string, figure: RestartFigure) => (figure.seconds === null ? { [name]: figure.reason } : {})
  const not_measured: Record<string, string> = {}
  for (const [name, figure] of Object.entries(named)) Object.assign(not_measured, reason(name, figure))
  return {
    restart_s: warm.seconds,
    cold_restart_s: cold.seconds,
    standby_s: standby.seconds,
    not_measured,
  }
}
