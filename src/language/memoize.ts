/** Makes a value on first use and keeps it. */
export function once<Value extends object>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= make())
}

/** As many words as some hours of news have; longer ones, in characters, are no words, and do not come again. */
const WORDS = { most: 1 << 15, longest: 40 }

/** A pure function of a text that keeps at most `most` answers: words come again and again. */
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

/** A pure function of a large object, such as a table, that keeps its answer as long as the object is in use. */
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
