/** How much is kept. */
interface MemoizeBounds {
  /** Answers. */
  readonly most: number
  /** In characters: longer texts are not kept. */
  readonly longest: number
}

/** As many words as some hours of news have; longer ones are no words, and do not come again. */
const WORDS: MemoizeBounds = { most: 1 << 15, longest: 40 }

/** A pure function of a text that keeps its answers: words come again and again. Bounded in memory. */
export function remembered<Answer>(
  answer: (text: string) => Answer,
  bounds: MemoizeBounds = WORDS,
): (text: string) => Answer {
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
