/** The first `count` words, split at white space. */
export function firstWords(text: string, count: number): string {
  const words = /\S+/g
  for (let i = 0; i < count; i++) if (words.exec(text) === null) return text
  return text.slice(0, words.lastIndex)
}

/** True when the text has at least `count` words. */
export function hasWords(text: string, count: number): boolean {
  const words = /\S+/g
  for (let i = 0; i < count; i++) if (words.exec(text) === null) return false
  return true
}
