import { BLANK, IN_WORD, kindAt, unitsAt } from '../characters.ts'
import type { Span } from '../sentences.ts'
import { wordEnd } from '../word-tokens.ts'
import { countMark } from './count-mark.ts'
import { countWord } from './count-word.ts'
import type { Scan } from './counts.ts'
import { dangles, type QualityLexicon } from './lexicon.ts'

export const emptyScan = (): Scan => ({
  words: [],
  length: 0,
  small: 0,
  carrying: [],
  notices: 0,
  placeholders: 0,
  breaks: 0,
  broken: 0,
  shouted: 0,
  valence: 0,
  letters: 0,
  upper: 0,
  lower: 0,
  visible: 0,
  odd: 0,
  code: 0,
  tags: 0,
  addresses: 0,
})

const FULL_STOP = 0x2e

/** Counts a sentence in one pass, which is what makes the quality score cheap. */
export function scan(text: string, { start, end }: Span, lexicon: QualityLexicon): Scan {
  const found = emptyScan()
  let before = 0 // the lexicon's entry of the word before; none across punctuation
  for (let at = start; at < end;) {
    const kind = kindAt(text, at)
    if ((kind & IN_WORD) !== 0) {
      const next = wordEnd(text, at, end) // a sentence may have been cut within a word without end
      before = countWord(found, { word: text.slice(at, next), before, lexicon })
      at = next
    } else {
      if ((kind & BLANK) === 0) {
        countMark(found, text, at)
        before = text.charCodeAt(at) === FULL_STOP ? before : 0
      }
      at += unitsAt(text, at)
    }
  }
  found.breaks += endsWithOneStop(text, end) && dangles(before) ? 1 : 0
  return found
}

const endsWithOneStop = (text: string, end: number): boolean =>
  text.charCodeAt(end - 1) === FULL_STOP && text.charCodeAt(end - 2) !== FULL_STOP
