interface Arrived {
  /** Offset at which the log first showed it. */
  readonly log_order: number
}

/** Things by key. In order of arrival as long as `inOrder` says so: a compacted changelog restores them in any order. */
export interface Shelf<Thing extends Arrived> {
  things: Map<string, Thing>
  inOrder: boolean
  newest: number
}

export const emptyShelf = <Thing extends Arrived>(): Shelf<Thing> => ({
  things: new Map(),
  inOrder: true,
  newest: -Infinity,
})

export function put<Thing extends Arrived>(shelf: Shelf<Thing>, key: string, thing: Thing): void {
  if (!shelf.things.has(key)) {
    shelf.inOrder &&= thing.log_order > shelf.newest
    shelf.newest = Math.max(shelf.newest, thing.log_order)
  }
  shelf.things.set(key, thing)
}

/** First come first. Sorted when it first matters. */
export function byArrival<Thing extends Arrived>(shelf: Shelf<Thing>): ReadonlyMap<string, Thing> {
  if (!shelf.inOrder) {
    shelf.things = new Map([...shelf.things].sort(([, a], [, b]) => a.log_order - b.log_order))
    shelf.inOrder = true
  }
  return shelf.things
}
