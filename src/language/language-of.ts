import { eld } from 'eld/extrasmall'

/** UTF-16 units: the detector itself stops after 350 bytes; on news 300 say the same as 1,000 and cost less. */
const READ_CHARS = 300

/** ISO 639-1 code of the language a text is written in, or `und` where its beginning does not say. */
export function languageOf(text: string): string {
  const guess = eld.detect(text.slice(0, READ_CHARS).normalize('NFC'))
  return guess.language !== '' && guess.isReliable() ? guess.language : 'und'
}
