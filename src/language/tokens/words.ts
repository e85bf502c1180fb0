/** A word in a stretch of text: character offsets, end exclusive. */
export interface WordAt {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Scripts written without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** Web and mail addresses and handles, which are no words; or a word, with what joins its parts: `anti-tax`, `O'Brien`, `3.5`, `10,000`. */
const ADDRESS_OR_WORD =
  /(?<address>(?:https?:\/\/|www\.)\S+|[@#]\w+|\w[\w.+-]{0,63}@\S+)|[\p{L}\p{N}\p{M}]+(?:[-'’&‑](?=[\p{L}\p{N}])[\p{L}\p{N}\p{M}]+|[.,]\p{N}+|\.\p{Lu}(?![\p{L}\p{N}]))*/gu

/** Longer ones are no words. */
const LONGEST_WORD = 40

/** The words of a sentence, in order; linear in its length. A script without spaces is cut by Unicode's dictionaries. */
export function wordsAt(text: string): WordAt[] {
  const found: WordAt[] = []
  for (const match of text.matchAll(ADDRESS_OR_WORD)) {
    if (match.groups?.['address'] !== undefined) continue
    const word = { text: match[0], start: match.index, end: match.index + match[0].length }
    if (word.text.charCodeAt(0) >= 0x0e00 && UNSPACED.test(word.text)) found.push(...segments(word))
    else if (word.text.length <= LONGEST_WORD) found.push(withoutPossessive(word))
  }
  return found
}

/** `council's` is the word `council`. */
function withoutPossessive(word: WordAt): WordAt {
  const ending = /['’]s$/iu.test(word.text) ? 2 : 0
  return ending === 0 ? word : { text: word.text.slice(0, -ending), start: word.start, end: word.end - ending }
}

const SEGMENTER = new Intl.Segmenter('zh', { granularity: 'word' })

const segments = ({ text, start }: WordAt): WordAt[] =>
  [...SEGMENTER.segment(text)].map(({ segment, index }) => ({
    text: segment,
    start: start + index,
    end: start + index + segment.length,
  }))
