const TERM = /(-?)(?:"([^"]*)"|(\S+))/g
const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu

/**
 * Whether texts have all words and "quoted phrases" of a query together, and none that follows a `-`. Words are whole,
 * in any case.
 */
export function compileQuery(query: string): (texts: readonly string[]) => boolean {
  const terms = [...query.matchAll(TERM)].map(([, minus, phrase, word]) => ({
    isExcluded: minus === '-',
    words: wordsOf(phrase ?? word ?? ''),
  }))
  const required = terms.filter(({ words }) => words !== '')
  return (texts) => {
    const found = texts.map(wordsOf)
    return required.every(({ isExcluded, words }) => found.some((text) => text.includes(words)) !== isExcluded)
  }
}

/** The words of a text, each between two spaces; empty if there is none. */
function wordsOf(text: string): string {
  const words = text.normalize('NFC').toLowerCase().match(WORD) ?? []
  return words.length === 0 ? '' : ` ${words.join(' ')} `
}
