import { wordTokens } from '../word-tokens.ts'

/** Words of a shingle: k of k-shingling. */
const WIDTH = 3

/** Where the scripts without spaces begin: the Latin, Greek, Cyrillic, Hebrew, Arabic and Indic ones come before. */
const MAY_BE_UNSPACED = /[\u0e00-\uffff]/

/** One hash for each word of a folded text; in scripts without spaces each character is a word. */
export function wordHashes(folded: string): Int32Array {
  const text = MAY_BE_UNSPACED.test(folded) ? wordTokens(folded).join(' ') : folded
  const hashes = new Int32Array(Math.ceil(text.length / 2))
  let words = 0
  let hash = SEED
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit !== SPACE) hash = Math.imul(hash ^ unit, PRIME)
    else {
      hashes[words++] = stirred(hash)
      hash = SEED
    }
  }
  if (text !== '') hashes[words++] = stirred(hash)
  return hashes.subarray(0, words)
}

/** FNV-1a over UTF-16 units. */
const SEED = 0x811c9dc5
const PRIME = 0x01000193
const SPACE = 0x20

/**
 * The hashed word 3-shingles of a text (Broder 1997, "On the resemblance and containment of documents"): each once, in
 * ascending order, 32 bits each. Stop words stay: what makes a text itself is also how it says things.
 */
export function shingles(words: Int32Array): Uint32Array {
  const found = new Uint32Array(Math.max(words.length - WIDTH + 1, 0))
  for (let i = 0; i < found.length; i++) {
    const [first = 0, second = 0, third = 0] = [words[i], words[i + 1], words[i + 2]]
    found[i] = stirred(Math.imul(first, 0x9e3779b1) + Math.imul(second, 0x85ebca77) + third)
  }
  return distinct(found.sort())
}

function distinct(sorted: Uint32Array): Uint32Array {
  let kept = 0
  for (const hash of sorted) if (kept === 0 || sorted[kept - 1] !== hash) sorted[kept++] = hash
  return sorted.slice(0, kept)
}

/** The finaliser of MurmurHash3: each bit of the input changes half of the output. */
export function stirred(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/**
 * |A ∩ B| / min(|A|, |B|), 0 to 1: how much of the shorter text the longer one holds (Broder 1997). Both sets ascending,
 * each hash once; an empty set is contained in nothing.
 */
export function containment(a: Uint32Array, b: Uint32Array): number {
  const smaller = Math.min(a.length, b.length)
  return smaller === 0 ? 0 : common(a, b) / smaller
}

function common(a: Uint32Array, b: Uint32Array): number {
  let shared = 0
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const mine = a[i] ?? 0
    const theirs = b[j] ?? 0
    if (mine === theirs) shared++
    if (mine <= theirs) i++
    if (theirs <= mine) j++
  }
  return shared
}
