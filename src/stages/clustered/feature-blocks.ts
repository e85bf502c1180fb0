import { blockLength, blockOf, type FeatureBlock } from './packed-features.ts'

/** 1 MiB. */
const SLAB_WORDS = 2 ** 18
/** Sizes are rounded up to a multiple of this, so that the memory of an evicted article fits another one. */
const STEP_WORDS = 8

/**
 * Memory for the features of many articles in few large buffers, since a buffer per article would take some 400 bytes
 * more and slow down every garbage collection. The memory of an evicted article is used again.
 */
export class FeatureBlocks {
  readonly #slabs: FeatureBlock[] = []
  readonly #numbers = new Map<Uint32Array, number>()
  readonly #octets = new Map<Uint32Array, Uint8Array>()
  /** By size, the places (slab number and index of the first word in one number) that are not in use. */
  readonly #free = new Map<number, number[]>()
  #end = SLAB_WORDS
  #used = 0

  /** Copies the bytes of a block. */
  add(packed: Uint8Array): FeatureBlock {
    const place = this.#allocate(packed.length / 4)
    if (place === null) return blockOf(packed)
    this.#octets.get(place.words)?.set(packed, place.at * 4)
    return place
  }

  /** The block must not be read any more. */
  remove(block: FeatureBlock): void {
    const slab = this.#numbers.get(block.words)
    if (slab === undefined) return
    const size = rounded(blockLength(block))
    const free = this.#free.get(size) ?? []
    this.#free.set(size, free)
    free.push(slab * SLAB_WORDS + block.at)
    if (--this.#used === 0) this.#clear()
  }

  /** `null` for a block that is larger than a slab. It keeps its own buffer. */
  #allocate(length: number): FeatureBlock | null {
    const size = rounded(length)
    if (size > SLAB_WORDS) return null
    this.#used++
    const free = this.#free.get(size)?.pop()
    const place = free ?? this.#extend(size)
    const slab = this.#slabs[Math.floor(place / SLAB_WORDS)]
    return slab === undefined ? null : { ...slab, at: place % SLAB_WORDS }
  }

  #extend(size: number): number {
    if (this.#end + size > SLAB_WORDS) {
      const buffer = new ArrayBuffer(SLAB_WORDS * 4)
      const words = new Uint32Array(buffer)
      this.#numbers.set(words, this.#slabs.length)
      this.#octets.set(words, new Uint8Array(buffer))
      this.#slabs.push({ words, bytes: new Int8Array(buffer), at: 0 })
      this.#end = 0
    }
    const place = (this.#slabs.length - 1) * SLAB_WORDS + this.#end
    this.#end += size
    return place
  }

  #clear(): void {
    this.#slabs.length = 0
    this.#numbers.clear()
    this.#octets.clear()
    this.#free.clear()
    this.#end = SLAB_WORDS
  }
}

const rounded = (words: number): number => Math.ceil(words / STEP_WORDS) * STEP_WORDS
