/** A posting is one number that sorts by key, then by slot: `key * SLOTS + slot`, plus a half once it is withdrawn. */
const SLOTS = 2 ** 28
const WITHDRAWN = 0.5
/** New postings are sorted on their own until there are this many, and an eighth of the others. */
const FEW = 512

/**
 * The slots of the stories whose articles of one event day have a key, 8 bytes a posting. A restore only appends: new
 * postings are sorted at the next search.
 */
export class DayPostings {
  #sorted: Float64Array = new Float64Array()
  #added: Float64Array = new Float64Array(32)
  #addedCount = 0
  #addedIsSorted = true
  #withdrawn = 0

  add(key: number, slot: number): void {
    if (this.#addedCount === this.#added.length) this.#added = resized(this.#added, 2 * this.#addedCount)
    this.#added[this.#addedCount++] = key * SLOTS + slot
    this.#addedIsSorted = false
  }

  /** Removes one posting of the key for the slot, which may have several. */
  remove(key: number, slot: number): void {
    this.#sort()
    const posting = key * SLOTS + slot
    if (!withdraw(this.#added, this.#addedCount, posting)) withdraw(this.#sorted, this.#sorted.length, posting)
    if (2 * ++this.#withdrawn > this.#sorted.length + this.#addedCount) this.#merge()
  }

  /** Adds the slot of each article with the key to `slots`, until there are `limit`. */
  collect(key: number, slots: number[], limit: number): void {
    this.#sort()
    collect(this.#sorted, this.#sorted.length, { key, slots, limit })
    collect(this.#added, this.#addedCount, { key, slots, limit })
  }

  #sort(): void {
    if (this.#addedIsSorted) return
    this.#added.subarray(0, this.#addedCount).sort()
    this.#addedIsSorted = true
    if (this.#addedCount > FEW && 8 * this.#addedCount > this.#sorted.length) this.#merge()
  }

  #merge(): void {
    const [old, added] = [this.#sorted, this.#added.subarray(0, this.#addedCount)]
    const merged = new Float64Array(old.length + added.length - this.#withdrawn)
    let [i, j, end] = [0, 0, 0]
    while (i < old.length || j < added.length) {
      const next = (old[i] ?? Infinity) <= (added[j] ?? Infinity) ? old[i++] : added[j++]
      if (next !== undefined && Number.isInteger(next)) merged[end++] = next
    }
    this.#sorted = merged
    this.#added = new Float64Array(32)
    this.#addedCount = 0
    this.#withdrawn = 0
  }
}

function resized(old: Float64Array, length: number): Float64Array {
  const wider = new Float64Array(length)
  wider.set(old)
  return wider
}

/** Index of the first posting that is not below `value`. */
function lowerBound(postings: Float64Array, length: number, value: number): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((postings[middle] ?? Infinity) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Marks the last of the equal postings, which keeps the order. */
function withdraw(postings: Float64Array, length: number, posting: number): boolean {
  const last = lowerBound(postings, length, posting + WITHDRAWN) - 1
  if (postings[last] !== posting) return false
  postings[last] = posting + WITHDRAWN
  return true
}

interface Collected {
  readonly key: number
  readonly slots: number[]
  readonly limit: number
}

function collect(postings: Float64Array, length: number, { key, slots, limit }: Collected): void {
  const [from, to] = [key * SLOTS, (key + 1) * SLOTS]
  for (let i = lowerBound(postings, length, from); i < length && slots.length < limit; i++) {
    const posting = postings[i] ?? to
    if (posting >= to) return
    const slot = posting - from
    if (slot === Math.floor(slot)) slots.push(slot)
  }
}
