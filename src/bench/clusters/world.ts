import { DAY_MS } from '../../domain/days.ts'
import type { ArticleAnalyzed } from '../../events/articles.ts'
import { articleId, clusterId } from '../../events/ids.ts'
import { pick, seeded } from '../../quality/seeded-random.ts'
import { features } from '../../stages/clustered/features.ts'
import type { ClusteringModel } from '../../language/clustering/model.ts'
import { NO_OUTLINE } from '../../language/near-duplicates/outline.ts'
import { newcomer } from '../../stages/clustered/origin.ts'
import { articleEntry } from '../../stages/clustered/records.ts'
import { changer, type StoredArticle } from './copies.ts'

/** The time at which articles arrive, in milliseconds since 1970: noon of an arbitrary day. */
export const NOW = Date.UTC(2026, 0, 15, 12)

export const NAMESPACE = 'bench'

/**
 * The size of a group of consecutive articles, some of which report the same event. All articles of a group are changed
 * with one seed, so that they remain equally similar to each other.
 */
const GROUP_SIZE = 50
/** The number of articles of a group that arrive. The others are in the state already. */
const ARRIVING = 10
/**
 * Turns an article into one about unrelated events: 60 % of its terms are replaced and its vectors rotated by 1.3 rad.
 * The result is still more similar to the original articles (99.9th percentile of the cosine: .44) than two labelled
 * sets on different subjects are to each other (.38 to .43).
 */
const OTHER_EVENTS = { replacedShare: 0.6, angle: 1.3 }
/** A report of the same event by one of the other outlets. */
const OTHER_REPORT = { replacedShare: 0.25, angle: 0.4 }
const OUTLETS = 200
/** Articles per story: half of all stories have one, one in sixteen has a dozen. */
const SIZES = [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 6, 12] as const

/** With fewer articles, none would be left to fill the state with. */
export const articlesNeeded = (newcomers: number): number => Math.ceil(newcomers / ARRIVING) * GROUP_SIZE + GROUP_SIZE

/**
 * Arranges real articles, in their order, as a simulated state of several days: `newcomers` of them arrive, and the
 * other articles of their groups are in the state already.
 */
export function arrange(articles: readonly ArticleAnalyzed[], newcomers: number, days: number) {
  const groups = Array.from({ length: Math.ceil(articles.length / GROUP_SIZE) }, (_, i) =>
    articles.slice(i * GROUP_SIZE, (i + 1) * GROUP_SIZE),
  )
  const steps = Math.ceil(newcomers / ARRIVING)
  const every = Math.max(1, Math.floor(groups.length / steps))
  const isReal = (i: number): boolean => i % every === 0 && i / every < steps
  const real = groups.filter((_, i) => isReal(i))
  const at = (i: number): number =>
    NOW - Math.floor(((GROUP_SIZE - ARRIVING - i) / (GROUP_SIZE - ARRIVING)) * days * DAY_MS)
  return {
    /** Unchanged articles that are in the state already, decided by the clusterer itself. Oldest first. */
    before: real.flatMap((group) => group.slice(0, -ARRIVING).map((article, i) => dated(article, at(i)))).sort(byTime),
    /** The arriving articles of the same groups. */
    arriving: real.flatMap((group) => group.slice(-ARRIVING).map((article) => dated(article, NOW))).slice(0, newcomers),
    /** The articles from which all others in the state are derived. */
    originals: groups.filter((_, i) => !isReal(i)).flat(),
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

/** Inputs as the log delivers them to the clusterer, at offsets starting with `from`. */
export const inputsFor = (articles: readonly ArticleAnalyzed[], from: number) =>
  articles.map((event, i) => {
    const place = { topic: 'articles.analyzed', partition: 0, offset: from + i }
    return { event, topic: place.topic, place, loggedAt: event.occurred_at }
  })

/** The features and fingerprints of articles, extracted by the clusterer's own code. */
export const storedArticles = (
  articles: readonly ArticleAnalyzed[],
  model: Pick<ClusteringModel, 'weights' | 'idf' | 'mu'>,
): StoredArticle[] =>
  articles.flatMap((article) => {
    const own = features(article, model)
    return own === null ? [] : [{ features: own, print: newcomer(article, model.weights.origins).print }]
  })

interface ClusterLive {
  readonly clusters: number
  /** The number of days before `NOW` over which stories are spread. */
  readonly days: number
  readonly mu: Float32Array
}

type ClusterEntry = ReturnType<typeof articleEntry>

/**
 * State updates for synthetic stories derived from real articles. The further articles of a story are slightly changed
 * copies of its first.
 */
export function* syntheticStories(
  real: readonly StoredArticle[],
  { clusters, days, mu }: ClusterLive,
): Generator<ClusterEntry> {
  const random = seeded(`stories of ${clusters}`)
  const outlets = Array.from({ length: OUTLETS }, (_, i) => changer({ ...OTHER_REPORT, seed: `outlet ${i}` }, mu))
  let order = 0
  let unrelated = changer({ ...OTHER_EVENTS, seed: 'country 0' }, mu)
  for (let story = 0; story < clusters; story++) {
    if (story % GROUP_SIZE === 0) unrelated = changer({ ...OTHER_EVENTS, seed: `country ${story / GROUP_SIZE}` }, mu)
    const base = real[story % real.length]
    if (base === undefined) return
    const time = NOW - Math.floor(random() * days * DAY_MS)
    const first = unrelated(base, time)
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

function entryOf({ features: own, print }: StoredArticle, { story, n, order }: WorldEntry): ClusterEntry {
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
  return articleEntry(NAMESPACE, member, { print, outline: NO_OUTLINE, group: id(n), translates: null })
}
