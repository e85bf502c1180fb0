/** Index from a value (an entity, a URL) to the keys that have it; never an empty set. */
export type KeysBy<By extends string = string> = Map<By, Set<string>>

export function addTo<By, Item>(index: Map<By, Set<Item>>, by: By, item: Item): void {
  const items = index.get(by)
  if (items === undefined) index.set(by, new Set([item]))
  else items.add(item)
}

export function takeFrom<By, Item>(index: Map<By, Set<Item>>, by: By, item: Item): void {
  const items = index.get(by)
  items?.delete(item)
  if (items?.size === 0) index.delete(by)
}

const NONE: ReadonlySet<string> = new Set()

export const keysBy = (index: ReadonlyMap<string, ReadonlySet<string>>, by: string | null): ReadonlySet<string> =>
  by === null ? NONE : (index.get(by) ?? NONE)
