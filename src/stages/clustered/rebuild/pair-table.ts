/** Slots of an empty table. A power of two. */
const FEWEST = 1_024
/** Key of an empty slot. */
const EMPTY = -1

/**
 * A number for each of many unordered pairs of small integers. Open addressing in flat arrays, 16 bytes a slot: a window
 * of a busy day has millions of pairs, for which a `Map` takes twice the time.
 */
export class PairTable {
  #keys = new Float64Array(FEWEST).fill(EMPTY)
  #values = new Float64Array(FEWEST)
  #size = 0

  get(a: number, b: number): number | undefined {
    const slot = this.#slotOf(a, b)
    return this.#keys[slot] === EMPTY ? undefined : this.#values[slot]
  }

  set(a: number, b: number, value: number): void {
    if (2 * this.#size >= this.#keys.length) this.#widen()
    const slot = this.#slotOf(a, b)
    if (this.#keys[slot] === EMPTY) this.#size++
    this.#keys[slot] = keyOf(a, b)
    this.#values[slot] = value
  }

  /** The slot of a pair, or the empty one where it would be. */
  #slotOf(a: number, b: number): number {
    const key = keyOf(a, b)
    const mask = this.#keys.length - 1
    let slot = hashOf(a, b) & mask
    while (this.#keys[slot] !== EMPTY && this.#keys[slot] !== key) slot = (slot + 1) & mask
    return slot
  }

  #widen(): void {
    const [keys, values] = [this.#keys, this.#values]
    this.#keys = new Float64Array(2 * keys.length).fill(EMPTY)
    this.#values = new Float64Array(2 * keys.length)
    this.#size = 0
    for (const [slot, key] of keys.entries()) {
      if (key !== EMPTY) this.set(Math.floor(key / MOST), key % MOST, values[slot] ?? 0)
    }
  }
}

/** Integers are below this. */
const MOST = 2 ** 26

const keyOf = (a: number, b: number): number => (a < b ? a * MOST + b : b * MOST + a)

/** Mixes both, so that each bit of either affects the slot. */
function hashOf(a: number, b: number): number {
  let mixed = Math.imul(Math.min(a, b), 0x9e3779b1) ^ Math.imul(Math.max(a, b), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
