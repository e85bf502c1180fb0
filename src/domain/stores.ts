/** The store of an installation that names none. */
export const MAIN_STORE = 'main'

/** Which namespaces a store holds. */
export interface StoreScope {
  readonly name: string
  /** `null`: all except those of `except`. */
  readonly namespaces: readonly string[] | null
  readonly except: readonly string[]
}

export const holds = ({ namespaces, except }: Omit<StoreScope, 'name'>, namespace: string): boolean =>
  namespaces === null ? !except.includes(namespace) : namespaces.includes(namespace)

/** Whether two stores have the same rows at the same position. */
export const areReplicas = (one: StoreScope, other: StoreScope): boolean => scopeOf(one) === scopeOf(other)
const scopeOf = ({ namespaces, except }: StoreScope): string =>
  JSON.stringify([namespaces === null ? null : [...namespaces].sort(), [...except].sort()])

/**
 * The stores that hold a namespace, in the order in which they are read: stores of their own first, then the others. All
 * processes of the service agree on it, so that a caller who meets several reads one server; namespaces are spread.
 */
export function inReadingOrder<Store extends StoreScope>(stores: readonly Store[], namespace: string): Store[] {
  const own = stores.filter((store) => holds(store, namespace))
  return own
    .map((store) => ({ store, rank: weightOf(`${store.name}\n${namespace}`) }))
    .sort((a, b) => Number(isShared(a.store)) - Number(isShared(b.store)) || a.rank - b.rank)
    .map(({ store }) => store)
}

/** A namespace for each way in which some stores hold namespaces: those that are named, and one that is not. */
const examples = (stores: readonly StoreScope[]): readonly string[] => [
  '',
  ...new Set(stores.flatMap(({ namespaces, except }) => [...(namespaces ?? []), ...except])),
]

/** Whether two stores hold a namespace in common. */
export const overlap = (one: StoreScope, other: StoreScope): boolean =>
  examples([one, other]).some((namespace) => holds(one, namespace) && holds(other, namespace))

/** Whether another store holds each namespace that a store holds. */
export const isCovered = (store: StoreScope, stores: readonly StoreScope[]): boolean =>
  examples(stores)
    .filter((namespace) => holds(store, namespace))
    .every((namespace) => stores.some((other) => other !== store && holds(other, namespace)))

/** The stores that a read of any namespace may reach: those that are usable, and all of a namespace that has no usable one. */
export const reachable = (stores: readonly StoreScope[], usable: ReadonlySet<string>): readonly string[] => {
  const names = examples(stores).flatMap((namespace) => {
    const holding = stores.filter((store) => holds(store, namespace)).map(({ name }) => name)
    const best = holding.filter((name) => usable.has(name))
    return best.length > 0 ? best : holding
  })
  return [...new Set(names)]
}

const isShared = ({ namespaces }: StoreScope): boolean => namespaces === null

/** FNV-1a, 32 bits: the highest weight decides (rendezvous hashing), so another store moves few namespaces. */
function weightOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Topic to committed offsets by partition; `null` where nothing was committed. */
export type GroupOffsets = Readonly<Record<string, readonly (number | null)[]>>
/** Of one store: consumer group of a view to its offsets. */
export type StoreOffsets = Readonly<Record<string, GroupOffsets>>

/**
 * The furthest offsets of several stores. A store that reaches those of a moment ago lags behind by a moment at most.
 */
export function furthest(stores: readonly StoreOffsets[]): StoreOffsets {
  const found: Record<string, Record<string, (number | null)[]>> = {}
  for (const store of stores) {
    for (const [view, topics] of Object.entries(store)) {
      const ofView = (found[view] ??= {})
      for (const [topic, offsets] of Object.entries(topics)) ofView[topic] = further(ofView[topic] ?? [], offsets)
    }
  }
  return found
}

const further = (one: readonly (number | null)[], other: readonly (number | null)[]): (number | null)[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, partition) => {
    const [a = null, b = null] = [one[partition], other[partition]]
    return a === null || b === null ? (a ?? b) : Math.max(a, b)
  })

/** Whether a store has read everything up to some offsets. */
export const reachesOffsets = (store: StoreOffsets, target: StoreOffsets): boolean =>
  Object.entries(target).every(([view, topics]) =>
    Object.entries(topics).every(([topic, offsets]) =>
      offsets.every((offset, partition) => (store[view]?.[topic]?.[partition] ?? 0) >= (offset ?? 0)),
    ),
  )
