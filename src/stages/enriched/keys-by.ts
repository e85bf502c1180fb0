/** Something (an entity, an address) to the keys of what has it; never an empty set. */
export type KeysBy = Map<string, Set<string>>

export function addTo(index: KeysBy, by: string, key: string): void {
  index.set(by, (index.get(by) ?? new Set()).add(key))
}

export function takeFrom(index: KeysBy, by: string, key: string): void {
  const keys = index.get(by)
  keys?.delete(key)
  if (keys?.size === 0) index.delete(by)
}

export const keysBy = (index: ReadonlyMap<string, ReadonlySet<string>>, by: string | null): readonly string[] =>
  by === null ? [] : [...(index.get(by) ?? [])]
