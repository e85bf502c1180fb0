import { eld } from 'eld/extrasmall'

/** Enough to tell; more only costs time. */
const READ_CHARS = 1_000

/** ISO 639-1 code of the language a text is written in, or `und` where its beginning does not say. */
export function languageOf(text: string): string {
  const guess = eld.detect(text.slice(0, READ_CHARS))
  return guess.language !== '' && guess.isReliable() ? guess.language : 'und'
}
