/** As many words as some hours of news have. */
const MOST = 1 << 15
/** In characters: longer ones are no words, and do not come again. */
const LONGEST = 40

/** A pure function of a word that keeps its answers: words come again and again. Bounded in memory. */
export function remembered<Answer>(answer: (word: string) => Answer): (word: string) => Answer {
  const known = new Map<string, Answer>()
  return (word) => {
    const before = known.get(word)
    if (before !== undefined) return before
    const found = answer(word)
    if (known.size >= MOST) known.clear()
    if (word.length <= LONGEST) known.set(word, found)
    return found
  }
}
