import type { Store } from '../../ports/store.ts'
import type { EntityWindow } from './entity-strength.ts'
import { accountsOfPairs, quotesOfPairs, typesOfPairs } from './entity-told.ts'

/** Two entities; `other` is in no second pair. */
export interface Pair {
  readonly one: string
  readonly other: string
}

export const RELATION_TYPES = ['co_mention', 'causal', 'adversarial', 'collaborative'] as const

/** What sentences say of two entities. */
export interface RelationTold {
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

interface Asked {
  readonly pairs: readonly Pair[]
  /** Null: the leading one. */
  readonly relation: RelationTold['type'] | null
}

/** What the sentences of a window say of pairs, in parallel. */
export async function toldOf(
  store: Store,
  window: EntityWindow,
  { pairs, relation }: Asked,
): Promise<readonly (RelationTold | undefined)[]> {
  const asked = { ...window, ones: pairs.map(({ one }) => one), others: pairs.map(({ other }) => other) }
  const [types, accounts] = await Promise.all([typesOfPairs(store)(asked), accountsOfPairs(store)(asked)])
  const kinds = kindsOf(pairs, types, relation)
  const quotes = groupBy(await quotesOf(store, window, kinds), keyOf)
  const byPair = new Map(accounts.map((account) => [keyOf(account), account]))
  return kinds.map(({ pair, kind, type }) => {
    const account = byPair.get(keyOf(pair))
    const quoted = quotes.get(keyOf(pair)) ?? []
    return account === undefined
      ? undefined
      : {
          type,
          direction: kind === undefined ? null : directionOf(pair, kind),
          origins: account.origins,
          contexts: quoted.map(({ quote }) => quote),
          context_article_ids: quoted.map(({ article_id }) => article_id),
          sentiment: kind?.sentiment ?? account.sentiment,
        }
  })
}

type Kind = Awaited<ReturnType<ReturnType<typeof typesOfPairs>>>[number]

/** Of one pair in either order. */
const keyOf = ({ one, other }: Pair): string => (one < other ? `${one} ${other}` : `${other} ${one}`)

/** The type to be shown of each pair, and what sentences of that type come to; they come those of most articles first. */
function kindsOf(pairs: readonly Pair[], types: readonly Kind[], relation: RelationTold['type'] | null) {
  const byPair = groupBy(types, keyOf)
  return pairs.map((pair) => {
    const kinds = byPair.get(keyOf(pair)) ?? []
    const leading = relation ?? leadingType(kinds)
    return { pair, type: leading, kind: kinds.find(({ type }) => type === leading) }
  })
}

/** What most articles tell, beside naming both. */
export const leadingType = (kinds: readonly Pick<Kind, 'type'>[]): RelationTold['type'] =>
  kinds.find(({ type }) => type !== 'co_mention')?.type ?? 'co_mention'

function directionOf({ one, other }: Pair, { type, told, from_one }: Kind): RelationTold['direction'] {
  if (type === 'co_mention' || from_one * 2 === told) return null
  return (from_one * 2 > told ? (one < other ? one : other) : one < other ? other : one) === one
    ? 'outbound'
    : 'inbound'
}

async function quotesOf(store: Store, window: EntityWindow, kinds: ReturnType<typeof kindsOf>) {
  const told = kinds.filter(({ kind }) => kind !== undefined)
  if (told.length === 0) return []
  return await quotesOfPairs(store)({
    ...window,
    ones: told.map(({ kind }) => kind?.one ?? ''),
    others: told.map(({ kind }) => kind?.other ?? ''),
    types: told.map(({ type }) => type),
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
