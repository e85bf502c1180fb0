import { BANDS } from './fingerprint.ts'

const NONE = -1

/**
 * Finds rows by any of their band keys. Uses chains in flat arrays, some 0.8 kB per row; a `Map` of 64 keys would take
 * three times as much.
 */
export class BandTable {
  /** First entry of each chain; an entry is row * BANDS + band. */
  #heads = new Int32Array(1_024).fill(NONE)
  #next = new Int32Array()
  #keys = new Int32Array()
  #rows = 0

  add(row: number, keys: Int32Array): void {
    this.#reserve(row + 1)
    this.#rows++
    this.expect(this.#rows)
    for (let band = 0; band < keys.length; band++) {
      this.#keys[row * BANDS + band] = keys[band] ?? 0
      this.#link(row * BANDS + band)
    }
  }

  /** Makes room for that many rows at once, so that adding them takes half the time. */
  expect(rows: number): void {
    let heads = this.#heads.length
    while (heads < rows * BANDS) heads *= 2
    if (heads > this.#heads.length) this.#widen(heads)
  }

  remove(row: number): void {
    this.#rows--
    for (let entry = row * BANDS; entry < (row + 1) * BANDS; entry++) this.#unlink(entry)
  }

  /** Rows that share a key in the same band, each with the number of bands it shares. */
  sharing(keys: Int32Array): Map<number, number> {
    const found = new Map<number, number>()
    keys.forEach((key, band) => {
      for (let entry = this.#head(this.#chain(key)); entry !== NONE; entry = this.#after(entry)) {
        if (this.#keys[entry] !== key || entry % BANDS !== band) continue
        const row = (entry - band) / BANDS
        found.set(row, (found.get(row) ?? 0) + 1)
      }
    })
    return found
  }

  #chain(key: number): number {
    return key & (this.#heads.length - 1)
  }

  #link(entry: number): void {
    const chain = this.#chain(this.#keys[entry] ?? 0)
    this.#next[entry] = this.#head(chain)
    this.#heads[chain] = entry
  }

  #unlink(entry: number): void {
    const chain = this.#chain(this.#keys[entry] ?? 0)
    let before = NONE
    for (let at = this.#head(chain); at !== entry && at !== NONE; at = this.#after(at)) before = at
    if (before === NONE) this.#heads[chain] = this.#after(entry)
    else this.#next[before] = this.#after(entry)
    this.#next[entry] = UNUSED
  }

  #head = (chain: number): number => this.#heads[chain] ?? NONE
  #after = (entry: number): number => this.#next[entry] ?? NONE

  #reserve(rows: number): void {
    if (rows * BANDS <= this.#next.length) return
    const entries = Math.max(rows * BANDS, this.#next.length * 2)
    this.#keys = grown(this.#keys, entries, 0)
    this.#next = grown(this.#next, entries, UNUSED)
  }

  #widen(heads: number): void {
    this.#heads = new Int32Array(heads).fill(NONE)
    for (let entry = 0; entry < this.#next.length; entry++) if (this.#next[entry] !== UNUSED) this.#link(entry)
  }
}

/** Value of `#next` for an entry that is not in a chain. */
const UNUSED = -2

function grown(old: Int32Array, length: number, empty: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(length).fill(empty, old.length)
  wider.set(old)
  return wider
}
