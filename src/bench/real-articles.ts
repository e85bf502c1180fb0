import { existsSync } from 'node:fs'
import { projectPath } from '../config/project-path.ts'
import type { ArticleAnalyzed } from '../events/articles.ts'
import { labelledArticles } from '../quality/labelled-articles.ts'
import { storyEncoder } from '../quality/measures.ts'
import { analyzed } from '../quality/stories.ts'
import { requireArticles, type BenchSetting } from './part.ts'

/** Real articles that all others are derived from. */
const REAL = 2_000

const LABELLED = projectPath('../shared/data/stories/allsides-2016-2018.jsonl.gz')

export interface RealArticles {
  /** What they are, for the output. */
  readonly source: string
  readonly articles: readonly ArticleAnalyzed[]
}

/**
 * The last articles of a labelled set if it is installed, otherwise the given articles, of which there must be at least
 * `minimum`. They have real vectors, from the cache if they are there: no model is part of the measurement.
 */
export async function realArticles({ wiring, articles }: BenchSetting, minimum: number): Promise<RealArticles> {
  const isThere = existsSync(LABELLED)
  if (!isThere) requireArticles(articles.length, minimum)
  const found = isThere ? (await labelledArticles(LABELLED)).slice(-REAL) : articles.map(asLabelled)
  const encoder = await storyEncoder(wiring)
  const events: ArticleAnalyzed[] = []
  for (const article of found) {
    events.push(await analyzed(article, { encoder, arrival: wiring.clock.now(), namespace: 'bench' }))
  }
  encoder.save()
  await wiring.close() // the models would compete for the cores
  return { source: `${found.length} articles ${isThere ? 'of AllSides' : 'given'}`, articles: events }
}

const asLabelled = ({ title, text, url, source, published_date }: BenchSetting['articles'][number]) => ({
  ...{ id: url ?? text, title, text, url, source },
  published: published_date,
  story: null,
  language: 'en',
})
