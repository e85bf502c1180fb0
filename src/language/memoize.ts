/** Creates a value on first use and caches it. */
export function once<Value extends object>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= make())
}

/** About the number of words in a few hours of news. Longer strings, in characters, are not words and do not recur. */
const WORDS = { most: 1 << 15, longest: 40 }

/** Caches up to `most` results of a pure function of a text, because words recur. */
export function remembered<Answer>(answer: (text: string) => Answer, bounds = WORDS): (text: string) => Answer {
  const known = new Map<string, Answer>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const found = answer(text)
    if (known.size >= bounds.most) known.clear()
    if (text.length <= bounds.longest) known.set(text, found)
    return found
  }
}

/** Caches the result of a pure function of a large object, such as a table, as long as the object is in use. */
export function rememberedOf<Table extends object, Answer extends object>(
  answer: (table: Table) => Answer,
): (table: Table) => Answer {
  const known = new WeakMap<Table, Answer>()
  return (table) => {
    const before = known.get(table)
    if (before !== undefined) return before
    const found = answer(table)
    known.set(table, found)
    return found
  }
}
