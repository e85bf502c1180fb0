import { containment, stirred } from '../../language/near-duplicates/shingles.ts'
import type { RememberedPost } from './changelog.ts'

type Copied = Pick<RememberedPost, 'text_hash' | 'shingles'>

/** Posts added one after the other: whether one says what another has said before it. */
export interface Copies {
  isCopy(post: Copied): boolean
}

/** So much of the shorter text's three-word windows is in the longer one. */
const SAME = 0.8
/** Bands of two MinHash values: of texts with half of their windows in common 99 % share one, of those at 0.67 all but one in 10,000. */
const BANDS = 16

/** Copies of one text, and texts that were lightly edited, are one voice: that of the first. */
export function copies(): Copies {
  const hashes = new Set<string>()
  const byBand = new Map<number, Uint32Array[]>()
  return {
    isCopy({ text_hash, shingles }) {
      if (hashes.has(text_hash)) return true
      hashes.add(text_hash)
      if (shingles.length === 0) return false
      const { windows, keys } = bandedOf(shingles)
      const isNear = keys.some((key) => byBand.get(key)?.some((other) => containment(windows, other) >= SAME) === true)
      if (!isNear) for (const key of keys) keep(byBand, key, windows)
      return isNear
    },
  }
}

/** A phrase that hundreds of different texts begin with: looking at more of them finds nothing new. */
const MOST_IN_BAND = 32

function keep(byBand: Map<number, Uint32Array[]>, key: number, windows: Uint32Array): void {
  const others = byBand.get(key)
  if (others === undefined) byBand.set(key, [windows])
  else if (others.length < MOST_IN_BAND) others.push(windows)
}

interface Banded {
  readonly windows: Uint32Array
  readonly keys: Int32Array
}

const banded = new WeakMap<Buffer, Banded>()

/** A post is added again and again: its bands are made once. */
function bandedOf(shingles: Buffer): Banded {
  const known = banded.get(shingles)
  if (known !== undefined) return known
  const windows = new Uint32Array(Uint8Array.from(shingles).buffer)
  const made = { windows, keys: bandKeys(windows) }
  banded.set(shingles, made)
  return made
}

/** The least of each of 32 hash functions, two and two (Broder 1997). Kept nowhere, so it may change. */
function bandKeys(windows: Uint32Array): Int32Array {
  return Int32Array.from({ length: BANDS }, (_, band) => {
    const one = least(windows, 2 * band + 1)
    const other = least(windows, 2 * band + 2)
    return stirred(Math.imul(one, 0x9e3779b1) + other + band)
  })
}

function least(windows: Uint32Array, seed: number): number {
  const times = stirred(seed) | 1
  const plus = stirred(seed ^ 0x5bd1e995)
  let found = 0x7fffffff
  const count = windows.length // by index: an iterator takes more than twice the time
  for (let i = 0; i < count; i++) {
    const value = (Math.imul(windows[i] ?? 0, times) + plus) | 0
    if (value < found) found = value
  }
  return found
}
