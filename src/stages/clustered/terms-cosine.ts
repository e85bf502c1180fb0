import { sectionLength, sectionStart, type FeatureBlock, type Section } from './packed-features.ts'
import { HASH_SHIFT, WEIGHT_BITS } from './terms.ts'

/**
 * The cosine of two articles' terms of one section. The first article's terms are a lookup table, those of the second
 * are iterated. The table is cached, so it is cheap to compare one article with many.
 */
export function termsCosine(a: FeatureBlock, b: FeatureBlock, section: Section): number {
  const { slots, mask, squares } = tableOf(a, section)
  const { words } = b
  const start = sectionStart(b, section)
  const end = start + sectionLength(b, section)
  let sum = 0
  let own = 0
  for (let j = start; j < end; j++) {
    const term = words[j] ?? 0
    const weight = term & WEIGHT_BITS
    own += weight * weight
    const hash = term >>> HASH_SHIFT
    let at = hash & mask
    let slot = slots[at] ?? 0
    while (slot !== 0 && slot >>> HASH_SHIFT !== hash) {
      at = (at + 1) & mask
      slot = slots[at] ?? 0
    }
    sum += weight * (slot & WEIGHT_BITS)
  }
  return sum === 0 ? 0 : sum / Math.sqrt(squares * own)
}

/** Whether both articles name something of a kind and have nothing of it in common. */
export const disagree = (a: FeatureBlock, b: FeatureBlock, kind: Section): boolean =>
  sectionLength(a, kind) > 0 && sectionLength(b, kind) > 0 && sharedTerms(a, b, kind) === 0

/** Whether both articles name the same thing. */
export const agree = (a: FeatureBlock, b: FeatureBlock, kind: Section): boolean => sharedTerms(a, b, kind) > 0

/** The number of terms of a kind that two articles have in common. */
export function sharedTerms(a: FeatureBlock, b: FeatureBlock, kind: Section): number {
  let shared = 0
  let [i, j] = [sectionStart(a, kind), sectionStart(b, kind)]
  const [lastOfA, lastOfB] = [i + sectionLength(a, kind), j + sectionLength(b, kind)]
  while (i < lastOfA && j < lastOfB) {
    const mine = (a.words[i] ?? 0) >>> HASH_SHIFT
    const theirs = (b.words[j] ?? 0) >>> HASH_SHIFT
    if (mine === theirs) shared++
    if (mine <= theirs) i++
    if (theirs <= mine) j++
  }
  return shared
}

/**
 * The weights in the first article of the terms of a kind that the second has too. A loop of its own: in one for both,
 * `sharedTerms`, which every pair calls several times, takes a tenth longer.
 */
export function sharedWeight(a: FeatureBlock, b: FeatureBlock, kind: Section): number {
  let sum = 0
  let [i, j] = [sectionStart(a, kind), sectionStart(b, kind)]
  const [lastOfA, lastOfB] = [i + sectionLength(a, kind), j + sectionLength(b, kind)]
  while (i < lastOfA && j < lastOfB) {
    const term = a.words[i] ?? 0
    const difference = (term >>> HASH_SHIFT) - ((b.words[j] ?? 0) >>> HASH_SHIFT)
    if (difference === 0) sum += term & WEIGHT_BITS
    if (difference <= 0) i++
    if (difference >= 0) j++
  }
  return sum
}

/** So many that most terms that the article does not have are at an empty slot. */
const SLOTS_PER_TERM = 8

/** Open addressing by hash: a packed term, or 0. */
interface Table {
  readonly of: FeatureBlock
  readonly section: Section
  readonly slots: Uint32Array
  readonly mask: number
  /** Sum of the squared weights. */
  readonly squares: number
}

/** Tables of the last articles compared: words, names and title of one article, and one more. */
const tables: (Table | undefined)[] = [undefined, undefined, undefined, undefined]
let oldest = 0

/** By the object, not by its place in memory, where the features of another article may be later. */
function tableOf(block: FeatureBlock, section: Section): Table {
  for (const known of tables) if (known?.of === block && known.section === section) return known
  const table = newTable(block, section)
  tables[oldest] = table
  oldest = (oldest + 1) % tables.length
  return table
}

function newTable(block: FeatureBlock, section: Section): Table {
  const start = sectionStart(block, section)
  const count = sectionLength(block, section)
  const size = 2 ** Math.ceil(Math.log2(SLOTS_PER_TERM * count + 2))
  const [slots, mask] = [new Uint32Array(size), size - 1]
  let squares = 0
  for (let i = start; i < start + count; i++) {
    const term = block.words[i] ?? 0
    const weight = term & WEIGHT_BITS
    squares += weight * weight
    let at = (term >>> HASH_SHIFT) & mask
    while (slots[at] !== 0) at = (at + 1) & mask
    slots[at] = term
  }
  return { of: block, section, slots, mask, squares }
}
