import { existsSync } from 'node:fs'
import { benchLive, type ClusterBenchInput, type LiveFigure } from '../clusters/cluster-bench.ts'
import { benchRebuild, type RebuildFigure } from '../clusters/rebuild-bench.ts'
import { articlesNeeded } from '../clusters/world.ts'
import type { ArticleAnalyzed } from '../../events/articles.ts'
import { projectPath } from '../../config/project-path.ts'
import { analyzed, labelledArticles } from '../../quality/stories.ts'
import { storyEncoder } from '../../quality/measures.ts'
import { clusteredParts } from '../../wiring/stages.ts'
import { requireArticles } from './guard.ts'
import { ms, type BenchResult, type BenchPart, type BenchSetting } from './part.ts'

/** Live stories, and how many articles come: fewer where comparing each with every story takes a second. */
const LIVE = [
  { clusters: 8_000, newcomers: 200 },
  { clusters: 50_000, newcomers: 60 },
] as const

const WINDOWS = [55, 1_000, 5_000] as const

/** Articles that all others are made of. */
const REAL = 2_000

const LABELLED = projectPath('../shared/data/stories/allsides-2016-2018.jsonl.gz')

export const clusters: BenchPart = {
  says: `the clusterer with ${LIVE.map((live) => live.clusters.toLocaleString('en')).join(' and ')} live stories, compared with an exhaustive search; memory; rebuild`,
  alone: measure,
}

async function measure(setting: BenchSetting): Promise<BenchResult> {
  const { wiring } = setting
  const { texts, ...model } = clusteredParts(wiring)
  const { source, articles } = await realArticles(setting)
  const given: ClusterBenchInput = { articles, model, texts, onProgress: (line) => wiring.out.progress(line) }
  const live = LIVE.map((size) => benchLive(given, size))
  const rebuild = WINDOWS.map((window) => benchRebuild(given, window))
  return { figures: { made_of: source, live, rebuild }, lines: table(source, live, rebuild) }
}

/**
 * The last of a labelled set where somebody has it, else the articles given; with real vectors, from the cache where
 * they are there: no model is in what is measured.
 */
async function realArticles({ wiring, articles }: BenchSetting) {
  const isThere = existsSync(LABELLED)
  if (!isThere) requireArticles(articles.length, Math.max(...LIVE.map(({ newcomers }) => articlesNeeded(newcomers))))
  const found = isThere ? (await labelledArticles(LABELLED)).slice(-REAL) : articles.map(asLabelled)
  const encoder = await storyEncoder(wiring)
  const events: ArticleAnalyzed[] = []
  for (const article of found) {
    events.push(await analyzed(article, { encoder, arrival: wiring.clock.now(), namespace: 'bench' }))
  }
  encoder.save()
  await wiring.close() // the models would take the cores of what is measured
  const name = isThere ? 'of AllSides' : 'given'
  return { source: `${found.length} articles ${name}, and copies of them in other worlds`, articles: events }
}

const asLabelled = ({ title, text, url, source, published_date }: BenchSetting['articles'][number]) => ({
  ...{ id: url ?? text, title, text, url, source },
  published: published_date,
  story: null,
})

const KB = 1024

const table = (source: string, live: readonly LiveFigure[], rebuild: readonly RebuildFigure[]): readonly string[] => [
  `  made of ${source}`,
  ...live.flatMap((f) => [
    `  ${f.live_clusters.toLocaleString('en')} live stories of ${f.articles_in_memory.toLocaleString('en')} articles, ${f.newcomers} come`,
    `    CPU ms an article       ${ms(f.decision_ms)}   with every story ${f.every_ms.toFixed(2)}, ${f.ratio.toFixed(1)} times as much`,
    `    choices the same        ${percent(f.identical_share)}   of the ${f.joined} that join a story ${percent(f.identical_share_of_joined).trim()}`,
    `    articles a second       ${f.articles_a_second.toFixed(0).padStart(9)}   on one core, ${percent(f.features_share).trim()} of it reading them`,
    `    memory                  ${kilobytes(f.bytes_a_cluster)} KB a story, ${kilobytes(f.bytes_an_article).trim()} KB an article`,
  ]),
  '  a tick that rebuilds one day',
  ...rebuild.map(
    (f) =>
      `    ${f.articles_in_window.toLocaleString('en').padStart(6)} articles         ${ms(f.tick_ms)} ms, ${f.ms_an_article.toFixed(3)} an article; ${f.changes} changes`,
  ),
]

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`.padStart(9)
const kilobytes = (bytes: number): string => (bytes / KB).toFixed(1).padStart(9)
