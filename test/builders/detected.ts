import type { EntityType } from '../../src/events/articles.ts'
import { articlesClustered, type ArticleClustered } from '../../src/events/ledger.ts'
import type { TrendDetected } from '../../src/events/trends.ts'
import type { Entry } from '../../src/state/entry.ts'
import type { Input } from '../../src/runtime/shapes.ts'
import { evolve, emptyState, type DetectedState } from '../../src/stages/detected/memory.ts'
import type { DetectedRecord } from '../../src/stages/detected/changelog.ts'
import { detected } from '../../src/stages/detected/stage.ts'
import { A_DAY } from './articles.ts'
import { aStoryArticle } from './discourse.ts'

const HOUR_MS = 3_600_000

/** Midnight of `A_DAY`: milliseconds since 1970, so many hours after it. */
export const at = (hours: number): number => A_DAY - (A_DAY % (24 * HOUR_MS)) + Math.round(hours * HOUR_MS)

export interface EntityOptions {
  readonly mentions?: number
  readonly sentiment?: number | null
  readonly type?: EntityType
}

export interface DetectedArticleInput {
  readonly namespace?: string
  readonly story?: string
  readonly group?: string
  readonly outlet?: string
  readonly family?: string
  readonly derived_from?: string
  readonly categories?: readonly string[]
  readonly title?: string
  readonly names?: Readonly<Record<string, EntityOptions>>
}

const ANY = aStoryArticle()

/** An article with a text, an outlet and a story of its own that names Ada once, `hours` after midnight. */
export function anArticle(id: string, hours: number, over: DetectedArticleInput = {}): ArticleClustered {
  const { namespace = 'shared', story = `own_${id}`, names = { ada: {} } } = over
  return {
    ...ANY,
    ...{ namespace, cluster_id: `sto_${story}`, article_id: `art_${id}`, occurred_at: at(hours) },
    event_id: `evt_${namespace}_${story}_${id}_${hours}`,
    origin: {
      syndication_group: over.group ?? `syn_${id}`,
      duplicate_of: null,
      derived_from: over.derived_from === undefined ? null : `art_${over.derived_from}`,
      translation: null,
      containment: 0,
    },
    member: {
      ...ANY.member,
      title: over.title ?? `Title of ${id}`,
      publisher: over.outlet ?? `outlet of ${id}`,
      publisher_family: over.family ?? null,
      categories: over.categories ?? [],
      entities: Object.entries(names).map(([name, { mentions = 1, sentiment = null, type = 'PERSON' }]) => ({
        entity_id: `ent_${name}`,
        name: name.toUpperCase(),
        type,
        mention_count: mentions,
        country: null,
        sentiment_score: sentiment,
      })),
    },
  }
}

/** So many articles at even distances, the first at `from`, none at `until`: hours after midnight. */
export const evenly = (
  name: string,
  { from, until, count }: { readonly from: number; readonly until: number; readonly count: number },
  over: (i: number) => DetectedArticleInput = () => ({}),
): readonly ArticleClustered[] =>
  Array.from({ length: count }, (_, i) =>
    anArticle(`${name}_${from}_${i}`, from + ((until - from) * i) / count, over(i)),
  )

interface DetectedOptions {
  readonly budget?: number
  readonly from?: { readonly state: DetectedState; readonly offset: number }
}

/** Runs events through the stage as the runtime does. */
export function live(events: readonly ArticleClustered[], { budget = 100_000, from }: DetectedOptions = {}) {
  const stage = detected({ budget })
  let state = from?.state ?? emptyState()
  const changelog: Entry<DetectedRecord>[] = []
  const emitted: TrendDetected[] = []
  const reasons: string[] = []
  for (const [i, event] of events.entries()) {
    const place = { topic: articlesClustered.name, partition: 0, offset: (from?.offset ?? 0) + i }
    const input: Input<ArticleClustered> = { event, topic: place.topic, place, loggedAt: event.occurred_at }
    const decided = stage.decide(state, input)
    if (decided.kind === 'deferred') throw new Error('this stage decides at once')
    changelog.push(...decided.remember)
    for (const entry of decided.remember) state = evolve(state, entry)
    if (decided.kind === 'emit') emitted.push(...decided.events)
    else reasons.push(decided.reason)
  }
  return { stage, state, changelog, emitted, reasons }
}

/** Subject and hours after midnight of each detection of a type. */
export const emittedOf = (emitted: readonly TrendDetected[], type: TrendDetected['type']) =>
  emitted
    .filter((one) => one.type === type)
    .map(({ subject_id, occurred_at }) => [subject_id.slice(4), (occurred_at - at(0)) / HOUR_MS])

/** What a state says, whatever the order its parts were put in. */
export const contentOf = (state: DetectedState): unknown => ({
  size: state.size,
  namespaces: [...state.namespaces]
    .map(([name, held]) => ({
      name,
      articles: [...held.articles.inOrder().values()]
        .map(({ story, entities, ...article }) => ({
          ...article,
          story: story.id,
          entities: entities.map((e) => e.id),
        }))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
      timelines: [...held.entities.values(), ...held.stories.values()]
        .map(({ id, articles }) => [id, articles.map((one) => `${one.at} ${one.id}`).sort()] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
      days: [...held.days.articles].sort(([a], [b]) => a - b),
      lost: [...held.days.lost].sort((a, b) => a - b),
      emittedOf: [...held.crossings].sort(([a], [b]) => (a < b ? -1 : 1)),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1)),
})
