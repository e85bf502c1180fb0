import { addTo, keysBy, takeFrom, type KeysBy } from './keys-by.ts'

/** Points a story to another (it was merged into it, or split from it), or to none. `back` is the inverse index. */
export function setPointer(
  there: Map<string, string>,
  back: KeysBy,
  [story, to]: readonly [string, string | undefined],
): void {
  const before = there.get(story)
  if (before !== undefined) takeFrom(back, before, story)
  there.delete(story)
  if (to === undefined) return
  there.set(story, to)
  addTo(back, to, story)
}

/** All ids that point to this one, directly or indirectly. */
export function pointingTo(back: KeysBy, id: string): ReadonlySet<string> {
  const found = new Set<string>()
  const queue = [id]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const one of keysBy(back, next)) {
      if (found.has(one)) continue
      found.add(one)
      queue.push(one)
    }
  }
  return found
}

/** The first value on the way from an id to those that it points to; the end or a cycle of the way ends the search. */
export function firstOnTheWay<Value>(
  there: ReadonlyMap<string, string>,
  from: string,
  get: (id: string) => Value | undefined,
): Value | undefined {
  const seen = new Set<string>()
  for (let id: string | undefined = from; id !== undefined && !seen.has(id); id = there.get(id)) {
    const value = get(id)
    if (value !== undefined) return value
    seen.add(id)
  }
  return undefined
}
