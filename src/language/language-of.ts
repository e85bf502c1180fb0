import { eld } from 'eld/extrasmall'

/** UTF-16 units. The detector reads at most 350 bytes; on news, 300 units give the same results as 1,000 in less time. */
const READ_CHARS = 300

/** ISO 639-1 code of the language a text is written in, or `und` if its beginning is too short to recognise it. */
export function languageOf(text: string): string {
  const guess = eld.detect(text.slice(0, READ_CHARS).normalize('NFC'))
  return guess.language !== '' && guess.isReliable() ? guess.language : 'und'
}
