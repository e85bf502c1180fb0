import type { Store } from '../../ports/store.ts'
import { placesOf, type EntityIndex } from './entity-index.ts'
import type { EntityWindow } from './entity-window.ts'
import { quotesOfPairs, reprintsAt, textsAt, typesOfPairs } from './entity-relation-queries.ts'
import type { RowOf } from '../query.ts'

/** Two entities. */
interface EntityRelationsPair {
  readonly one: string
  readonly other: string
}

export const RELATION_TYPES = ['co_mention', 'causal', 'adversarial', 'collaborative'] as const

/** What sentences say of two entities. */
export interface EntityRelation {
  readonly type: (typeof RELATION_TYPES)[number]
  /** Who acts in most of the sentences: `outbound`: the first of the two; null: nobody does, or both as often. */
  readonly direction: 'outbound' | 'inbound' | null
  /** Articles that name both, re-prints of one text being one. */
  readonly origins: number
  /** Sentences that say it, the newest first, and in parallel where each stands. */
  readonly contexts: readonly string[]
  readonly context_article_ids: readonly string[]
  /** -1 to +1: mean over the sentences that say it; where none names both, over the articles. */
  readonly sentiment: number
}

/** As many quotes as a relationship has. */
export const MOST_CONTEXTS = 3

interface RelationsQuery {
  readonly namespace: string
  readonly as_of: number
  readonly pairs: readonly EntityRelationsPair[]
  /** Null: the leading one. */
  readonly relation: EntityRelation['type'] | null
}

/** What the articles that name both of a pair say of the two, in parallel. */
export async function relationsOf(
  store: Store,
  index: EntityIndex,
  params: RelationsQuery,
): Promise<readonly EntityRelation[]> {
  const { namespace, as_of, pairs, relation } = params
  const placesOfPairs = pairs.map((pair) => placesOf(index, pair))
  const places = [...new Set(placesOfPairs.flat())]
  const ends = { ones: pairs.map(({ one }) => one), others: pairs.map(({ other }) => other) }
  const [kinds, accounts] = await Promise.all([
    kindsAndQuotes(store, { namespace, places, ...ends }, { pairs, relation }),
    accountsAt(store, { namespace, places }, as_of),
  ])
  return kinds.map(({ pair, type, kind, quoted }, i) => {
    const own = (placesOfPairs[i] ?? []).flatMap((place) => accounts.get(place) ?? [])
    return {
      type,
      direction: kind === undefined ? null : directionOf(pair, kind),
      origins: new Set(own.map(({ origin }) => origin)).size,
      contexts: quoted.map(({ quote }) => quote),
      context_article_ids: quoted.map(({ article_id }) => article_id),
      sentiment: kind?.sentiment ?? mean(own.map(({ feeling }) => feeling)),
    }
  })
}

/** An article as one independent source. */
interface EntityRelationsAccount {
  /** Equal for re-prints of one text. */
  readonly origin: string
  /** -1 to +1. */
  readonly feeling: number
}

async function accountsAt(
  store: Store,
  window: EntityWindow,
  as_of: number,
): Promise<ReadonlyMap<number, EntityRelationsAccount>> {
  const [[texts], [reprints]] = await Promise.all([textsAt(store)(window), reprintsAt(store)({ ...window, as_of })])
  const origins = new Map(reprints?.article_ids.map((id, i) => [id, reprints.origins[i] ?? id]))
  return new Map(
    texts?.at.map((place, i) => {
      const article_id = texts.article_ids[i] ?? ''
      return [place, { origin: origins.get(article_id) ?? article_id, feeling: texts.feelings[i] ?? 0 }]
    }),
  )
}

const DECIMALS = 1e6

const mean = (values: readonly number[]): number =>
  values.length === 0
    ? 0
    : Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * DECIMALS) / DECIMALS

interface PairsQuery extends EntityWindow {
  readonly ones: string[]
  readonly others: string[]
}

async function kindsAndQuotes(
  store: Store,
  params: PairsQuery,
  { pairs, relation }: Pick<RelationsQuery, 'pairs' | 'relation'>,
) {
  const kinds = kindsOf(pairs, await typesOfPairs(store)(params), relation)
  const quotes = groupBy(await quotesOf(store, params, kinds), keyOf)
  return kinds.map((of) => ({ ...of, quoted: quotes.get(keyOf(of.pair)) ?? [] }))
}

type EntityRelationsKind = RowOf<typeof typesOfPairs>

/** Of one pair in either order. */
export const keyOf = ({ one, other }: EntityRelationsPair): string =>
  one < other ? `${one} ${other}` : `${other} ${one}`

/** The type to be shown of each pair, and what sentences of that type come to; they come those of most articles first. */
function kindsOf(
  pairs: readonly EntityRelationsPair[],
  types: readonly EntityRelationsKind[],
  relation: EntityRelation['type'] | null,
) {
  const byPair = groupBy(types, keyOf)
  return pairs.map((pair) => {
    const kinds = byPair.get(keyOf(pair)) ?? []
    const leading = relation ?? leadingType(kinds)
    return { pair, type: leading, kind: kinds.find(({ type }) => type === leading) }
  })
}

/** What most articles assert, beside naming both. */
export const leadingType = (kinds: readonly Pick<EntityRelationsKind, 'type'>[]): EntityRelation['type'] =>
  kinds.find(({ type }) => type !== 'co_mention')?.type ?? 'co_mention'

function directionOf(
  { one, other }: EntityRelationsPair,
  { type, sentence_count, from_one }: EntityRelationsKind,
): EntityRelation['direction'] {
  if (type === 'co_mention' || from_one * 2 === sentence_count) return null
  const isOfSmaller = from_one * 2 > sentence_count
  return isOfSmaller === one < other ? 'outbound' : 'inbound'
}

async function quotesOf(store: Store, { namespace, places }: EntityWindow, kinds: ReturnType<typeof kindsOf>) {
  const withKind = kinds.filter(({ kind }) => kind !== undefined)
  if (withKind.length === 0) return []
  return quotesOfPairs(store)({
    ...{ namespace, places },
    ones: withKind.map(({ kind }) => kind?.one ?? ''),
    others: withKind.map(({ kind }) => kind?.other ?? ''),
    types: withKind.map(({ type }) => type),
    limit: MOST_CONTEXTS,
  })
}

function groupBy<Item>(items: readonly Item[], key: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group === undefined) groups.set(key(item), [item])
    else group.push(item)
  }
  return groups
}
