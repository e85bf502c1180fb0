import type { Entity } from '../../events/articles.ts'
import { sums } from '../money/sums.ts'
import type { TextSpan } from '../recogniser/read-words.ts'
import { times } from '../times/times.ts'

/** What an entity is, beside where it is mentioned. */
export type EntityIdentity = Omit<Entity, 'entity_id' | 'mentions'>

/** A mention and what it is of; character offsets, end exclusive. */
export interface MarkedEntity extends TextSpan {
  readonly surface: string
  readonly identity: EntityIdentity
  /** Towards it, -1 to 1; null: as the sentence. */
  readonly sentiment: number | null
}

export const NOTHING = { wikidata_id: null, place: null, time: null, money: null }

/** Dates and sums; a name wins over one that touches it ("Black Friday"), and a sum over a date. */
export function identityOf(
  text: string,
  { reached, published }: { readonly reached: readonly TextSpan[]; readonly published: number | null },
  names: readonly TextSpan[],
): MarkedEntity[] {
  const amounts = reached.flatMap(({ start, end }) => sums(text, start, end))
  const dates = reached.flatMap((sentence) => times(text, sentence, published))
  const money = without(amounts, names)
  const facts = [
    ...money.map(({ money: sum, ...span }) => ({ ...span, ...NOTHING, money: sum })),
    ...without(without(dates, names), money).map(({ time, ...span }) => ({ ...span, ...NOTHING, time })),
  ]
  return facts.map(({ start, end, ...identity }) => {
    return { start, end, surface: text.slice(start, end), sentiment: null, identity }
  })
}

/** Spans that overlap none of the others; both in the order of the text. */
function without<Item extends TextSpan>(spans: readonly Item[], others: readonly TextSpan[]): Item[] {
  let next = 0
  return spans.filter(({ start, end }) => {
    while ((others[next]?.end ?? Infinity) <= start) next++
    return (others[next]?.start ?? Infinity) >= end
  })
}
