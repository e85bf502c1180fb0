import type { ArticleClustered } from '../../events/ledger.ts'
import { isNamed } from '../../events/articles.ts'
import { timesIn, topic } from '../../events/topic.ts'
import { articleKey, type Entry } from '../../state/entry.ts'
import type { DetectionType } from '../../events/trends.ts'

export interface RememberedNaming {
  readonly entity_id: string
  readonly mentions: number
  /** Sentiment of the article towards it, -1 to +1; `null` when not known. */
  readonly sentiment: number | null
}

/** An article: its arrival, event time, source text, outlet and entities. */
export interface DetectedArticleRecord {
  readonly article_id: string
  readonly cluster_id: string
  /** Offset in `articles.clustered` at which it was first seen: articles are evicted in this order. */
  readonly log_order: number
  /** Event time. */
  readonly occurred_at: number
  /** The same for all reprints of a text, and for texts that quote or rewrite it. */
  readonly text: string
  /** Publisher family, else the outlet; `null` when not known. */
  readonly house: string | null
  readonly categories: readonly string[]
  readonly entities: readonly RememberedNaming[]
}

/** A detected threshold crossing, in event time: from the first time to the last time at which the level was high. */
export interface Crossing {
  readonly from: number
  readonly last: number
}

export interface RememberedCrossings {
  readonly type: DetectionType
  readonly subject_id: string
  /** Earliest first. */
  readonly crossings: readonly Crossing[]
}

/** One record of `detected.memory`: an article, the crossings of a subject, or a day with evicted articles. */
export type DetectedRecord =
  | {
      readonly namespace: string
      readonly article: DetectedArticleRecord
      readonly told: null
      readonly lost_day: null
    }
  | { readonly namespace: string; readonly article: null; readonly told: RememberedCrossings; readonly lost_day: null }
  /** UTC, `2018-12-31`. */
  | { readonly namespace: string; readonly article: null; readonly told: null; readonly lost_day: string }

export type DetectedUpdate = Entry<DetectedRecord>
export const crossingsId = (type: DetectionType, subjectId: string): string => `${type}:${subjectId}`

export const crossingsKey = (namespace: string, type: DetectionType, subjectId: string): string =>
  `${namespace}:told:${crossingsId(type, subjectId)}`

const keyOf = ({ namespace, article, told, lost_day }: DetectedRecord): string => {
  if (article !== null) return articleKey(namespace, article.article_id)
  return told === null ? `${namespace}:lost:${lost_day}` : crossingsKey(namespace, told.type, told.subject_id)
}

export const detectedMemory = topic<DetectedRecord>('detected.memory', keyOf, ({ article, told }, bound) => {
  if (article !== null) return { article: { ...article, ...timesIn('occurred_at')(article, bound) } }
  if (told === null) return {}
  return { told: { ...told, crossings: told.crossings.map((one) => timesIn('from', 'last')(one, bound)) } }
})

type DetectedThing =
  | Pick<DetectedRecord & { readonly article: object }, 'article'>
  | Pick<DetectedRecord & { readonly told: object }, 'told'>
  | Pick<DetectedRecord & { readonly lost_day: string }, 'lost_day'>

export function entry(namespace: string, thing: DetectedThing): DetectedUpdate {
  const value = { article: null, told: null, lost_day: null, ...thing, namespace }
  return { key: keyOf(value), value }
}

/** `source`: the text of the article it quotes or rewrites, if that article is in memory. */
export const remembered = (
  { member, origin, ...event }: ArticleClustered,
  source: string | null,
): Omit<DetectedArticleRecord, 'log_order'> => ({
  article_id: event.article_id,
  cluster_id: event.cluster_id,
  occurred_at: event.occurred_at,
  text: source ?? origin?.syndication_group ?? member.semantic_hash,
  house: member.publisher_family ?? (member.publisher === '' ? null : member.publisher),
  categories: member.categories,
  entities: member.entities.filter(isNamed).map(({ entity_id, mention_count, sentiment_score }) => ({
    entity_id,
    mentions: mention_count,
    sentiment: sentiment_score,
  })),
})
