/** Words of a stretch of text: letters and digits together, every other visible character alone. */
export interface Words {
  readonly texts: readonly string[]
  /** Character offsets into the whole text, end exclusive. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

const WORD = /[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu

/** Splits `text.slice(start, end)` at white space and around every punctuation mark; linear. */
export function words(text: string, start: number, end: number): Words {
  const texts: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  for (const match of text.slice(start, end).matchAll(WORD)) {
    texts.push(match[0])
    starts.push(start + match.index)
    ends.push(start + match.index + match[0].length)
  }
  return { texts, starts, ends }
}
