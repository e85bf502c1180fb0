import { clusteringModel } from '../../src/adapters/model-files.ts'
import type { ArticleAnalyzed } from '../../src/events/articles.ts'
import type { ArticleClustered } from '../../src/events/ledger.ts'
import type { CorrectionRequested } from '../../src/events/settings.ts'
import { f32, i8 } from '../../src/events/vector.ts'
import { clusteredAssignments, type EvictedArticle } from '../../src/stages/clustered/assignments.ts'
import type { Entry } from '../../src/state/entry.ts'
import type { Input, Outcome } from '../../src/runtime/shapes.ts'
import type { MemberRecord } from '../../src/stages/clustered/changelog.ts'
import type { ClusteredState } from '../../src/stages/clustered/memory.ts'
import { clustered, type ClusteredInput, type ClusteredStage } from '../../src/stages/clustered/stage.ts'
import { termHash } from '../../src/stages/clustered/terms.ts'
import { tokens } from '../../src/stages/clustered/tokens.ts'
import { anInput, A_DAY } from './articles.ts'
import { anAnalyzedArticle } from './views.ts'

const DAY_MS = 86_400_000

const model = clusteringModel()

/** The stage as it runs, with its real weights and tables. */
export const aClusterer = (budget = 1_000, texts = 1_000, subject = model.weights.subject): ClusteredStage =>
  clustered({ ...model, weights: { ...model.weights, subject }, budget, texts })

/** Texts with the same words have near vectors: each word is a fixed random direction. No encoder of the product. */
export function aWordVector(text: string): Float32Array {
  const sum = new Float32Array(384)
  for (const word of tokens(text)) {
    let random = termHash(word)
    for (let i = 0; i < 384; i++) {
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
      sum[i] = (sum[i] ?? 0) + (random >>> 31 === 0 ? 1 : -1)
    }
  }
  const length = Math.hypot(...sum) || 1
  return sum.map((value) => value / length)
}

/** An analysed article whose vectors follow from its words. */
export function aReport(over: Partial<ArticleAnalyzed>): ArticleAnalyzed {
  const article = anAnalyzedArticle(over)
  const title = article.title ?? article.text
  return {
    ...article,
    title_vector: f32('afdb6f1a0e45:title', aWordVector(title)),
    lead_vector: f32('afdb6f1a0e45:lead', aWordVector(`${title} ${article.text.slice(0, 600)}`)),
    ...over,
  }
}

const crossVector = (kind: string, text: string) => i8(`cross-model:${kind}`, 384, [aWordVector(text)])

/** An article in English as it is where all languages are read: with a vector of its title for other languages. */
export const inEnglish = (article: ArticleAnalyzed): ArticleAnalyzed => ({
  ...article,
  cross_title_vector: crossVector('cross-title', article.title ?? ''),
})

/** The same article in a made-up language: every word reversed, its cross-language vectors those of the original. */
export function inOtherWords(article: ArticleAnalyzed): ArticleAnalyzed {
  const reversed = (text: string): string => text.replace(/\p{L}+/gu, (word) => Array.from(word).reverse().join(''))
  const [title, text] = [article.title ?? '', article.text]
  return {
    ...aReport({
      title: reversed(title),
      text: reversed(text),
      url: `${article.url ?? ''}/foreign`,
      source: `${article.source ?? ''} foreign`,
      published_date: article.published_date,
      occurred_at: article.occurred_at,
      dated: article.dated,
    }),
    language: 'xx',
    cross_title_vector: crossVector('cross-title', title),
    cross_vector: crossVector('cross', `${title} ${text.slice(0, 600)}`),
  }
}

const PLACES = ['Tamsin', 'Orle', 'Quayle', 'Ventnor', 'Brask', 'Ulmen', 'Sarno', 'Pelk']
const DEEDS = [
  ['dock strike', 'dock workers walked out over a pay raise and the union leader called for talks'],
  ['flood', 'rivers burst their banks after a storm and hundreds of homes were evacuated overnight'],
  ['mayor trial', 'the mayor denied taking bribes from a builder as prosecutors opened the corruption trial'],
  ['rail crash', 'a freight train left the rails near the tunnel and engineers inspected the broken signal'],
] as const

/** Made-up news: event `event` as outlet `outlet` reports it, `day` days after the first. Same event, alike words. */
export function madeUpReport({ event, outlet, day }: { event: number; outlet: number; day: number }): ArticleAnalyzed {
  const place = `${PLACES[event % 8] ?? ''} ${PLACES[(event * 3 + 1) % 8] ?? ''}`
  const [deed, sentence] = DEEDS[event % 4] ?? DEEDS[0]
  const names = `Ada ${PLACES[(event * 5) % 8] ?? ''}son and Ion ${PLACES[(event + 3) % 8] ?? ''}berg`
  const flavour = ['late on Monday', 'as officials watched', 'residents told reporters', 'in the early hours'][
    outlet % 4
  ]
  return aReport({
    title: `${place} ${deed}: ${['what we know', 'live', 'officials speak', 'a town waits'][outlet % 4] ?? ''}`,
    text: `In ${place} ${sentence} ${flavour ?? ''}. ${names} said the ${deed} in ${place} would be looked into. Report ${outlet}.`,
    url: `https://outlet-${outlet}.example.com/${event}/${day}`,
    source: `Outlet ${outlet}`,
    published_date: A_DAY + Math.round(day * DAY_MS),
    occurred_at: A_DAY + Math.round(day * DAY_MS),
    dated: true,
  })
}

/** The same article as if nobody knew its date: it arrived on day `arrivedOn`. */
export const undated = (article: ArticleAnalyzed, arrivedOn: number): ArticleAnalyzed => ({
  ...article,
  published_date: null,
  dated: false,
  occurred_at: A_DAY + arrivedOn * DAY_MS,
})

/** A tick that says that nothing more comes. */
export const aFlush = (offset: number, namespace = 'shared'): Input<ClusteredInput> =>
  anInput<ClusteredInput>(
    { event_id: `tick_${offset}`, namespace, tick_at: A_DAY + offset, flush: true },
    { topic: 'clock.ticked', offset },
  )

export const aCorrection = (over: Partial<CorrectionRequested>, offset = 0): Input<ClusteredInput> =>
  anInput<ClusteredInput>(
    {
      event_id: `evt_correction_${offset}`,
      namespace: 'shared',
      occurred_at: A_DAY,
      correction_id: `cor_${offset}`,
      action: 'move',
      cluster_id: '',
      other_cluster_id: null,
      article_ids: [],
      reason: null,
      key_id: 'key_a',
      ...over,
    },
    { topic: 'corrections.requested', offset },
  )

/** Inputs at offsets 0, 1, 2 … */
export const inOrder = (articles: readonly ArticleAnalyzed[], from = 0): Input<ArticleAnalyzed>[] =>
  articles.map((article, i) => anInput(article, { topic: 'articles.analyzed', offset: from + i }))

export interface Lived {
  readonly state: ClusteredState
  readonly outcomes: readonly Outcome<ArticleClustered>[]
  readonly events: readonly ArticleClustered[]
  /** Everything written to the changelog, in order. */
  readonly entries: readonly Entry<MemberRecord>[]
  /** The table: evicted articles by key. */
  readonly rows: Map<string, EvictedArticle>
}

/** Runs the stage as the runtime does: decide, fold in what it remembers, next. */
export function live(
  stage: ClusteredStage,
  inputs: readonly Input<ClusteredInput>[],
  from: Partial<Pick<Lived, 'state' | 'rows'>> = {},
): Lived {
  let state = from.state ?? stage.memory.empty()
  const rows = new Map(from.rows)
  const outcomes: Outcome<ArticleClustered>[] = []
  const entries: Entry<MemberRecord>[] = []
  for (const input of inputs) {
    const needed = stage.table?.needed(state, input) ?? []
    const found = new Map([...rows].filter(([key]) => needed.includes(key)))
    const decided = stage.decide(state, input, found)
    for (const row of decided.rows ?? []) rows.set(clusteredAssignments.key(row), row)
    for (const entry of decided.remember) state = stage.memory.evolve(state, entry)
    entries.push(...decided.remember)
    outcomes.push(decided.kind === 'deferred' ? decided.outcome(state) : decided)
  }
  const events = outcomes.flatMap((outcome) => (outcome.kind === 'emit' ? outcome.events : []))
  return { state, outcomes, events, entries, rows }
}

/** Article id to cluster id, the newest word on each. */
export const storiesOf = (events: readonly ArticleClustered[]): ReadonlyMap<string, string> =>
  new Map(
    events.flatMap(({ article_id, cluster_id, change }) =>
      (change === null ? [article_id] : change.article_ids).map((id) => [id, cluster_id] as const),
    ),
  )
