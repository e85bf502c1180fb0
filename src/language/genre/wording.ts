import { addressOf, type GenreText, QUOTATION } from './cues.ts'

export const WORDING_WIDTH = 32_768
/** Each part has its own hash seed. The weight is the Euclidean length of its shares. */
const TITLE: WordingPart = { seed: 0x1b873593, weight: 1 }
const OPENING: WordingPart = { seed: 0x2545f491, weight: 1.5 }
const TEXT: WordingPart = { seed: 0x5bd1e995, weight: 3 }
/** The host and the path sections of the URL. Unknown outlets and sections add nothing. */
const ADDRESS: WordingPart = { seed: 0x2c1b3c6d, weight: 2.5 }

interface WordingPart {
  readonly seed: number
  readonly weight: number
}

const MAX_TITLE_CHARACTERS = 300
const OPENING_CHARACTERS = 600
/** Maximum number of characters of a text that are read. */
const MAX_CHARACTERS = 6_000

/**
 * Shares of the author's own words and word pairs, each in the bucket (below `WORDING_WIDTH`) that it hashes to. A
 * quotation counts only as a quotation mark.
 */
export function wordingOf({ url, title, body }: Pick<GenreText, 'url' | 'title' | 'body'>) {
  const own = body.slice(0, MAX_CHARACTERS).replace(QUOTATION, ' " ')
  const found: WordingShares = { buckets: [], shares: new Float64Array(WORDING_WIDTH) }
  addPart(found, wordHashes((title ?? '').slice(0, MAX_TITLE_CHARACTERS)), TITLE)
  addPart(found, wordHashes(own.slice(0, OPENING_CHARACTERS)), OPENING)
  addPart(found, wordHashes(own), TEXT)
  addPart(found, wordHashes(addressOf(url)), ADDRESS)
  const shares = new Float64Array(found.buckets.length)
  found.buckets.forEach((bucket, i) => (shares[i] = found.shares[bucket] ?? 0))
  return { buckets: new Uint16Array(found.buckets), shares }
}

interface WordingShares {
  /** In the order found. */
  readonly buckets: number[]
  readonly shares: Float64Array
}

/** Uses square roots of counts, so that frequent words do not outweigh the others. */
function addPart({ buckets, shares }: WordingShares, hashes: readonly number[], { seed, weight }: WordingPart): void {
  const length = Math.sqrt(2 * Math.max(1, hashes.length))
  const counts = new Uint16Array(WORDING_WIDTH)
  const add = (bucket: number): void => {
    const count = counts[bucket] ?? 0
    counts[bucket] = count + 1
    if (shares[bucket] === 0) buckets.push(bucket)
    shares[bucket] = (shares[bucket] ?? 0) + (weight * (Math.sqrt(count + 1) - Math.sqrt(count))) / length
  }
  let before = 0
  for (const hash of hashes) {
    add(bucketOf(seed, hash))
    add(bucketOf(Math.imul(seed ^ before, PRIME), hash))
    before = hash
  }
}

const PRIME = 0x01000193
const BASIS = 0x811c9dc5

/** The finaliser of MurmurHash: each bit of the hash affects the bucket. */
function bucketOf(seed: number, hash: number): number {
  let mixed = Math.imul(hash ^ seed, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) & (WORDING_WIDTH - 1)
}

/** FNV-1a of each word in lower case, and of `?`, `!`, `$` and quotation marks; all numbers count as one word. */
function wordHashes(text: string): number[] {
  const hashes: number[] = []
  let hash = BASIS
  let inWord = false
  const lower = text.toLowerCase()
  for (let i = 0; i <= lower.length; i++) {
    const code = letterAt(lower, i)
    if (code !== 0) {
      if (code !== DIGIT || !inWord) hash = Math.imul(hash ^ code, PRIME)
      inWord = true
      continue
    }
    if (inWord) hashes.push(hash)
    hash = BASIS
    inWord = false
    const sign = lower.charCodeAt(i)
    if (SIGNS.has(sign)) hashes.push(Math.imul(BASIS ^ sign, PRIME))
  }
  return hashes
}

const DIGIT = 0x30
const APOSTROPHE = 0x27
const CURLY_APOSTROPHE = 0x2019
const SIGNS: ReadonlySet<number> = new Set(['?', '!', '$', '"'].map((sign) => sign.charCodeAt(0)))

/** By character code: Latin letters and apostrophes map to themselves, all digits to one code, everything else to 0. */
const LETTERS = Uint16Array.from({ length: 0x250 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/\d/u.test(character)) return DIGIT
  return code >= 0xc0 || /[a-z']/u.test(character) ? code : 0
})

function letterAt(lower: string, i: number): number {
  const code = lower.charCodeAt(i)
  return code === CURLY_APOSTROPHE ? APOSTROPHE : (LETTERS[code] ?? 0)
}
