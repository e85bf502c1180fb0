import { DAY_MS } from '../../domain/days.ts'
import type { ArticleAnalyzed } from '../../events/articles.ts'
import { articleId, clusterId } from '../../events/ids.ts'
import { pick, seeded } from '../../quality/seeded-random.ts'
import { features } from '../../stages/clustered/features.ts'
import type { ClusteringModel } from '../../language/clustering/model.ts'
import { newcomer } from '../../stages/clustered/origin.ts'
import { articleEntry } from '../../stages/clustered/records.ts'
import { changer, type CopiesRemembered } from './copies.ts'

/** The moment of the newcomers, milliseconds since 1970: noon of some day. */
export const NOW = Date.UTC(2026, 0, 15, 12)

export const NAMESPACE = 'bench'

/** Articles that follow each other, so that some report the same: they stay as alike in whatever world they are put. */
const TOGETHER = 50
/** Of these, so many come; the others are there before. */
const COMING = 10
/**
 * Another country and another field. Turned by so much about the mean of all news, vectors are on average and at their
 * nearest still nearer to those at home (99.9th percentile of the cosine .44) than two labelled sets on different
 * fields are to each other (.38 to .43).
 */
const ELSEWHERE = { renamed: 0.6, turned: 1.3 }
/** The same event by another outlet, of so many. */
const OTHER_REPORT = { renamed: 0.25, turned: 0.4 }
const OUTLETS = 200
/** Articles of a story: half of all stories have one, one in sixteen has a dozen. */
const SIZES = [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 6, 12] as const

/** With fewer articles nothing would be left to make the memory of. */
export const articlesNeeded = (newcomers: number): number => Math.ceil(newcomers / COMING) * TOGETHER + TOGETHER

/** Real articles, in their order, as a world of five days: `newcomers` come, those around them were there before. */
export function worldOf(articles: readonly ArticleAnalyzed[], newcomers: number, days: number) {
  const groups = Array.from({ length: Math.ceil(articles.length / TOGETHER) }, (_, i) =>
    articles.slice(i * TOGETHER, (i + 1) * TOGETHER),
  )
  const steps = Math.ceil(newcomers / COMING)
  const every = Math.max(1, Math.floor(groups.length / steps))
  const isHere = (i: number): boolean => i % every === 0 && i / every < steps
  const here = groups.filter((_, i) => isHere(i))
  const at = (i: number): number => NOW - Math.floor(((TOGETHER - COMING - i) / (TOGETHER - COMING)) * days * DAY_MS)
  return {
    /** As they are: in memory before, decided by the clusterer itself, oldest first. */
    before: here.flatMap((group) => group.slice(0, -COMING).map((article, i) => dated(article, at(i)))).sort(byTime),
    /** Their neighbours that come. */
    come: here.flatMap((group) => group.slice(-COMING).map((article) => dated(article, NOW))).slice(0, newcomers),
    /** What all others in memory are made of. */
    rest: groups.filter((_, i) => !isHere(i)).flat(),
  }
}

const byTime = (a: ArticleAnalyzed, b: ArticleAnalyzed): number => a.occurred_at - b.occurred_at

const dated = (article: ArticleAnalyzed, time: number): ArticleAnalyzed => ({
  ...article,
  namespace: NAMESPACE,
  occurred_at: time,
  published_date: time,
  dated: true,
})

/** As the log hands them to the clusterer, at offsets from `from` on. */
export const arriving = (articles: readonly ArticleAnalyzed[], from: number) =>
  articles.map((event, i) => {
    const place = { topic: 'articles.analyzed', partition: 0, offset: from + i }
    return { event, topic: place.topic, place, loggedAt: event.occurred_at }
  })

/** What articles are compared by, read by the clusterer's own code. */
export const asRemembered = (
  articles: readonly ArticleAnalyzed[],
  model: Pick<ClusteringModel, 'weights' | 'idf' | 'mu'>,
): CopiesRemembered[] =>
  articles.flatMap((article) => {
    const own = features(article, model)
    return own === null ? [] : [{ features: own, print: newcomer(article, model.weights.origins).print }]
  })

interface ClusterLive {
  readonly clusters: number
  /** They are spread over so many days before now. */
  readonly days: number
  readonly mu: Float32Array
}

type ClusterEntry = ReturnType<typeof articleEntry>

/** Memory of so many live stories in other countries; a story's further articles are copies near to its first. */
export function* livingStories(
  real: readonly CopiesRemembered[],
  { clusters, days, mu }: ClusterLive,
): Generator<ClusterEntry> {
  const random = seeded(`stories of ${clusters}`)
  const outlets = Array.from({ length: OUTLETS }, (_, i) => changer({ ...OTHER_REPORT, seed: `outlet ${i}` }, mu))
  let order = 0
  let abroad = changer({ ...ELSEWHERE, seed: 'country 0' }, mu)
  for (let story = 0; story < clusters; story++) {
    if (story % TOGETHER === 0) abroad = changer({ ...ELSEWHERE, seed: `country ${story / TOGETHER}` }, mu)
    const base = real[story % real.length]
    if (base === undefined) return
    const time = NOW - Math.floor(random() * days * DAY_MS)
    const first = abroad(base, time)
    const size = pick(random, SIZES)
    for (let n = 0; n < size; n++) {
      const later = Math.min(NOW, time + Math.floor(random() * DAY_MS))
      const other = outlets[(story + n) % OUTLETS]
      yield entryOf(n === 0 ? first : (other?.(first, later) ?? first), { story, n, order: order++ })
    }
  }
}

interface WorldEntry {
  readonly story: number
  readonly n: number
  readonly order: number
}

function entryOf({ features: own, print }: CopiesRemembered, { story, n, order }: WorldEntry): ClusterEntry {
  const id = (ordinal: number): string => articleId(NAMESPACE, `https://bench.example/${story}/${ordinal}`, '')
  const member = {
    articleId: id(n),
    clusterId: clusterId(NAMESPACE, id(0)),
    seen: [id(n)],
    order,
    loggedAt: own.time,
    founded: n === 0,
    duplicateOf: null,
    constraints: [],
    subjectId: null,
    features: own,
  }
  return articleEntry(NAMESPACE, member, { print, group: id(n) })
}
