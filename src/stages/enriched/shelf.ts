/** Things by key, in an order of their own (arrival, say) as long as `inOrder` says so: a compacted changelog restores them in any. */
export interface EnrichedShelf<Thing> {
  things: Map<string, Thing>
  inOrder: boolean
  newest: number
}

export const emptyShelf = <Thing>(): EnrichedShelf<Thing> => ({ things: new Map(), inOrder: true, newest: -Infinity })

/** Where a thing stands in the order: it stays there as long as that number does. */
type OrderOf<Thing> = (thing: Thing) => number

export function put<Thing>(
  shelf: EnrichedShelf<Thing>,
  [key, thing]: readonly [string, Thing],
  orderOf: OrderOf<Thing>,
): void {
  const order = orderOf(thing)
  const before = shelf.things.get(key)
  if (before === undefined || orderOf(before) !== order) {
    shelf.things.delete(key)
    shelf.inOrder &&= order > shelf.newest
    shelf.newest = Math.max(shelf.newest, order)
  }
  shelf.things.set(key, thing)
}

/** First come first; of equals the first in the alphabet. Sorted when it first matters. */
export function inOrder<Thing>(shelf: EnrichedShelf<Thing>, orderOf: OrderOf<Thing>): ReadonlyMap<string, Thing> {
  if (!shelf.inOrder) {
    shelf.things = new Map([...shelf.things].sort(([a, x], [b, y]) => orderOf(x) - orderOf(y) || (a < b ? -1 : 1)))
    shelf.inOrder = true
  }
  return shelf.things
}

export const byArrival = ({ log_order }: { readonly log_order: number }): number => log_order
