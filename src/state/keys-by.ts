/** Index from a value (an entity, a URL) to the keys that have it; never an empty set. */
export type KeysBy<By extends string = string> = Map<By, Set<string>>

export function addTo<By extends string>(index: KeysBy<By>, by: By, key: string): void {
  const keys = index.get(by)
  if (keys === undefined) index.set(by, new Set([key]))
  else keys.add(key)
}

export function takeFrom<By extends string>(index: KeysBy<By>, by: By, key: string): void {
  const keys = index.get(by)
  keys?.delete(key)
  if (keys?.size === 0) index.delete(by)
}

const NONE: ReadonlySet<string> = new Set()

export const keysBy = (index: ReadonlyMap<string, ReadonlySet<string>>, by: string | null): ReadonlySet<string> =>
  by === null ? NONE : (index.get(by) ?? NONE)
