import { addSlot, type Slots } from './slots.ts'

/** A posting is one number that sorts by key, then by slot: `key * MOST_SLOTS + slot`, plus a half once it is withdrawn. */
const MOST_SLOTS = 2 ** 28
const WITHDRAWN = 0.5
/** Keys have this many bits. */
const KEY_BITS = 24
/** New postings are sorted at each search until there are this many. Then they become a run. */
const FEW = 256
/** So many removed postings are withdrawn without a search, which an old day may not see any more. */
const MANY_REMOVED = 1_024
/** A run is merged with the one before it unless that is this many times as long, so there are few runs. */
const RATIO = 8
/** Postings of a run per entry of its directory. */
const STRIDE = 8

/** Sorted postings, and the index of the first posting of each group of keys that begin with the same bits. */
interface Run {
  readonly postings: Float64Array
  readonly starts: Uint32Array
  /** Bits of a key that the directory leaves out. */
  readonly shift: number
}

const NO_RUN: Run = { postings: new Float64Array(), starts: Uint32Array.of(0, 0), shift: KEY_BITS }

/**
 * The slots of the stories whose articles of one event day have a key, 8 bytes a posting, in sorted runs. A restore
 * only appends: new postings are sorted at the next search. An arrival sorts a few postings; it seldom merges runs, and
 * long runs less often than short ones. So a search costs the same on a day with very many articles.
 */
export class DayPostings {
  /** From long to short. */
  #runs: Run[] = []
  #added: Float64Array = new Float64Array(32)
  #addedCount = 0
  #addedIsSorted = true
  /** The new postings, sorted, all in one group. */
  #addedRun: Run = NO_RUN
  /** Postings to withdraw at the next search. */
  #removed: number[] = []
  /** How many postings are withdrawn and still in a run. */
  #withdrawn = 0

  add(key: number, slot: number): void {
    if (this.#addedCount === this.#added.length) this.#added = resized(this.#added, 2 * this.#addedCount)
    this.#added[this.#addedCount++] = key * MOST_SLOTS + slot
    this.#addedIsSorted = false
  }

  /** Removes one posting of the key for the slot, which has at least one. */
  remove(key: number, slot: number): void {
    this.#removed.push(key * MOST_SLOTS + slot)
    if (this.#removed.length >= MANY_REMOVED) this.sort()
  }

  /** Takes over what `runs` and `withdrawn` of another instance returned. */
  static of(runs: readonly Float64Array[], withdrawn: number): DayPostings {
    const postings = new DayPostings()
    postings.#runs = runs.map(runOf)
    postings.#withdrawn = withdrawn
    return postings
  }

  /** All postings in sorted runs, from long to short, not copied. */
  runs(): readonly Float64Array[] {
    this.sort()
    const runs = this.#runs.map(({ postings }) => postings)
    return this.#addedCount === 0 ? runs : [...runs, this.#added.subarray(0, this.#addedCount)]
  }

  /** How many postings of the runs are withdrawn. */
  get withdrawn(): number {
    return this.#withdrawn
  }

  /** The least number of articles with the key: those withdrawn are counted as if all had it. */
  atLeast(key: number): number {
    this.sort()
    let count = countOf(this.#addedRun, key) - this.#withdrawn
    for (const run of this.#runs) count += countOf(run, key)
    return count
  }

  /** Appends the slot of each article with the key to `into`. */
  collect(key: number, into: Slots): void {
    this.sort()
    for (const run of this.#runs) collect(run, key, into)
    collect(this.#addedRun, key, into)
  }

  /** Sorts what was added and withdraws what was removed, which the next search would do. */
  sort(): void {
    this.#sortAdded()
    if (this.#removed.length === 0) return
    for (const posting of this.#removed) this.#withdraw(posting)
    this.#removed = []
    const total = this.#runs.reduce((sum, { postings }) => sum + postings.length, this.#addedCount)
    if (2 * this.#withdrawn > total) this.#mergeAll()
  }

  #sortAdded(): void {
    if (this.#addedIsSorted) return
    this.#added.subarray(0, this.#addedCount).sort()
    this.#addedIsSorted = true
    this.#addedRun = { postings: this.#added, starts: Uint32Array.of(0, this.#addedCount), shift: KEY_BITS }
    if (this.#addedCount <= FEW) return
    this.#runs.push(runOf(this.#added.slice(0, this.#addedCount)))
    this.#noneAdded()
    while (this.#lastAreAlike()) this.#mergeLast()
  }

  #withdraw(posting: number): void {
    const key = Math.floor(posting / MOST_SLOTS)
    const isAdded = withdraw(this.#added, { from: 0, to: this.#addedCount }, posting)
    if (isAdded || this.#runs.some((run) => withdraw(run.postings, boundsIn(run, key), posting))) this.#withdrawn++
  }

  #lastAreAlike(): boolean {
    const [last, previous] = [this.#runs.at(-1), this.#runs.at(-2)]
    return last !== undefined && previous !== undefined && RATIO * last.postings.length > previous.postings.length
  }

  #mergeLast(): void {
    const [one, other] = [this.#runs.pop(), this.#runs.pop()]
    if (one === undefined || other === undefined) return
    const merged = mergedPostings(one.postings, other.postings)
    this.#withdrawn -= one.postings.length + other.postings.length - merged.length
    this.#runs.push(runOf(merged))
  }

  #mergeAll(): void {
    let merged: Float64Array = mergedPostings(this.#added.subarray(0, this.#addedCount), new Float64Array())
    for (const { postings } of this.#runs) merged = mergedPostings(postings, merged)
    this.#runs = merged.length === 0 ? [] : [runOf(merged)]
    this.#noneAdded()
    this.#withdrawn = 0
  }

  #noneAdded(): void {
    this.#added = new Float64Array(32)
    this.#addedCount = 0
    this.#addedIsSorted = true
    this.#addedRun = NO_RUN
  }
}

function resized(old: Float64Array, length: number): Float64Array {
  const wider = new Float64Array(length)
  wider.set(old)
  return wider
}

/** Both in one order, without withdrawn postings. */
function mergedPostings(one: Float64Array, other: Float64Array): Float64Array {
  const merged = new Float64Array(one.length + other.length)
  let [i, j, end] = [0, 0, 0]
  while (i < one.length || j < other.length) {
    const [first, second] = [one[i] ?? Infinity, other[j] ?? Infinity]
    if (first <= second) i++
    else j++
    const next = Math.min(first, second)
    if (next === Math.floor(next)) merged[end++] = next
  }
  return end === merged.length ? merged : merged.slice(0, end)
}

function runOf(postings: Float64Array): Run {
  const bits = Math.min(KEY_BITS, Math.max(0, Math.ceil(Math.log2(postings.length / STRIDE))))
  const shift = KEY_BITS - bits
  const starts = new Uint32Array(2 ** bits + 1)
  let group = 0
  for (let i = 0; i < postings.length; i++) {
    const own = Math.floor((postings[i] ?? 0) / MOST_SLOTS) >>> shift
    while (group < own) starts[++group] = i
  }
  starts.fill(postings.length, group + 1)
  return { postings, starts, shift }
}

/** From an index up to, not including, another one. */
interface Bounds {
  readonly from: number
  readonly to: number
}

/** The postings of a run among which those of the key are. */
function boundsIn({ starts, shift }: Run, key: number): Bounds {
  const group = key >>> shift
  return { from: starts[group] ?? 0, to: starts[group + 1] ?? 0 }
}

/** Index of the first posting within the bounds that is not below `value`. */
function lowerBound(postings: Float64Array, { from, to }: Bounds, value: number): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((postings[middle] ?? Infinity) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Marks the last of the equal postings, which keeps the order. */
function withdraw(postings: Float64Array, bounds: Bounds, posting: number): boolean {
  const last = lowerBound(postings, bounds, posting + WITHDRAWN) - 1
  if (last < bounds.from || postings[last] !== posting) return false
  postings[last] = posting + WITHDRAWN
  return true
}

/** The number of postings of the key, with those withdrawn. */
function countOf(run: Run, key: number): number {
  const { from, to } = boundsIn(run, key)
  if (from === to) return 0
  const first = lowerBound(run.postings, { from, to }, key * MOST_SLOTS)
  return lowerBound(run.postings, { from: first, to }, (key + 1) * MOST_SLOTS) - first
}

function collect({ postings, starts, shift }: Run, key: number, into: Slots): void {
  const group = key >>> shift
  const [from, to] = [starts[group] ?? 0, starts[group + 1] ?? 0]
  if (from === to) return
  const first = key * MOST_SLOTS
  const next = first + MOST_SLOTS
  for (let i = lowerBound(postings, { from, to }, first); i < to; i++) {
    const posting = postings[i] ?? next
    if (posting >= next) return
    const slot = posting - first
    if (slot === Math.floor(slot)) addSlot(into, slot)
  }
}
