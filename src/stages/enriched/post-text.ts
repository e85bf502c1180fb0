import { sha256 } from '../../events/ids.ts'
import { shingles, wordHashes } from '../../language/near-duplicates/fingerprint.ts'
import { contentWords } from './themes.ts'

/** What of a text stays when the text itself has to go. */
interface TextTraces {
  readonly text_hash: string
  readonly shingles: Buffer
  readonly words: readonly string[]
}

/** Texts of fewer words are copies only where they are equal: a common phrase would make half of them. */
const FEWEST_WORDS = 8
/** Of a longer text its first so many windows, by hash: as good a sample as any. */
const MOST_SHINGLES = 64

export function textTraces(text: string): TextTraces {
  const folded = foldedPost(text)
  const hashes = wordHashes(folded)
  const windows = hashes.length < FEWEST_WORDS ? new Uint32Array() : shingles(hashes).slice(0, MOST_SHINGLES)
  return {
    text_hash: sha256(folded).toString('hex').slice(0, 16),
    shingles: Buffer.from(windows.buffer),
    words: contentWords(text),
  }
}

const REPEATED = /^\s*rt\s+@\w+:?/u
const ADDRESS = /https?:\S+|www\.\S+/gu
const HANDLE = /@[\p{L}\p{N}_.]+/gu
/** Hashtags around what is said; within it they are words. */
const TAGS_AROUND = /^(?:\s*#[\p{L}\p{N}_]+)+|(?:\s*#[\p{L}\p{N}_]+)+\s*$/gu

/** The words of a post as copies have them in common: not case, signs, addresses, the account it speaks to, tags around it. */
function foldedPost(text: string): string {
  const said = text.toLowerCase().replace(REPEATED, ' ').replace(ADDRESS, ' ').replace(HANDLE, ' ')
  return wordsOf(said.replace(TAGS_AROUND, ' ')) || wordsOf(said) || text.toLowerCase().trim()
}

const wordsOf = (text: string): string =>
  text
    .replace(/['’‘]/gu, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
