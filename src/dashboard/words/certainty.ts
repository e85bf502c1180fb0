/** Shares of 1 from which on a word holds. */
const WORDS = [
  [0.95, 'very likely to stay'],
  [0.75, 'likely to stay'],
  [0.5, 'may move'],
] as const

/** How sure it is that an article stays in its story, 0 to 1, in words and per cent: certain is never said of a chance. */
export function stays(confidence: number): string {
  const [, word] = WORDS.find(([from]) => confidence >= from) ?? [0, 'likely to move']
  const inHundred = confidence === 1 ? 100 : Math.min(99, Math.round(confidence * 100))
  return `${word} (${inHundred} %)`
}
