/** Creates a value on first use and caches it. */
export function once<Value extends object>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= make())
}

/** About the number of words in a few hours of news. Longer strings, in characters, are not words and do not recur. */
const WORDS = { most: 1 << 15, longest: 40 }

/** Caches up to `most` results of a pure function of a text, because words recur. */
export function remembered<Result>(compute: (text: string) => Result, bounds = WORDS): (text: string) => Result {
  const cache = new Map<string, Result>()
  return (text) => {
    const cached = cache.get(text)
    if (cached !== undefined) return cached
    const result = compute(text)
    if (cache.size >= bounds.most) cache.clear()
    if (text.length <= bounds.longest) cache.set(text, result)
    return result
  }
}

/** Caches the result of a pure function of a large object, such as a table, as long as the object is in use. */
export function rememberedOf<Table extends object, Result extends object>(
  compute: (table: Table) => Result,
): (table: Table) => Result {
  const cache = new WeakMap<Table, Result>()
  return (table) => {
    const cached = cache.get(table)
    if (cached !== undefined) return cached
    const result = compute(table)
    cache.set(table, result)
    return result
  }
}
