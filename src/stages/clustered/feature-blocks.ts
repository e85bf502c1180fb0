import { blockLength, type FeatureBlock } from './packed-features.ts'

/** 1 MiB. */
const SLAB_WORDS = 2 ** 18
/** Sizes are rounded up to a multiple of this, so that the memory of an evicted article fits another one. */
const STEP_WORDS = 8

/** Which parts of the slabs are in use. */
export interface BlocksLayout {
  /** Words of the last slab that are in use or were. */
  readonly end: number
  /** The number of blocks. */
  readonly used: number
  /** Places that are not in use, by size in words. */
  readonly free: readonly (readonly [size: number, places: readonly number[]])[]
}

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

  /** Uses buffers again that another instance had. */
  static of({ end, used, free }: BlocksLayout, slabs: Iterable<ArrayBufferLike>): FeatureBlocks {
    const blocks = new FeatureBlocks()
    for (const slab of slabs) blocks.#addSlab(slab)
    for (const [size, places] of free) blocks.#free.set(size, [...places])
    blocks.#end = end
    blocks.#used = used
    return blocks
  }

  /** Where blocks are, without their bytes. */
  layout(): BlocksLayout {
    return { end: this.#end, used: this.#used, free: [...this.#free] }
  }

  /** The bytes of all blocks, not copied. */
  slabs(): Iterable<Uint8Array> {
    return this.#octets.values()
  }

  /** The number of a block, with which `at` finds it. */
  placeOf({ words, at }: FeatureBlock): number {
    return (this.#numbers.get(words) ?? NaN) * SLAB_WORDS + at
  }

  at(place: number): FeatureBlock {
    const slab = this.#slabs[Math.floor(place / SLAB_WORDS)]
    if (slab === undefined) throw new RangeError(`there is no block ${place}`)
    return { words: slab.words, bytes: slab.bytes, at: place % SLAB_WORDS }
  }

  /** Copies the bytes of a block. */
  add(packed: Uint8Array): FeatureBlock {
    const block = this.at(this.#allocate(packed.length / 4))
    this.#octets.get(block.words)?.set(packed, block.at * 4)
    return block
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

  #allocate(length: number): number {
    const size = rounded(length)
    this.#used++
    return this.#free.get(size)?.pop() ?? this.#extend(size)
  }

  /** A block that is larger than a slab gets one of its own. */
  #extend(size: number): number {
    if (this.#end + size > SLAB_WORDS) {
      this.#addSlab(new SharedArrayBuffer(Math.max(size, SLAB_WORDS) * 4))
      this.#end = 0
    }
    const place = (this.#slabs.length - 1) * SLAB_WORDS + this.#end
    this.#end += size
    return place
  }

  #addSlab(buffer: ArrayBufferLike): void {
    const words = new Uint32Array(buffer)
    this.#numbers.set(words, this.#slabs.length)
    this.#octets.set(words, new Uint8Array(buffer))
    this.#slabs.push({ words, bytes: new Int8Array(buffer), at: 0 })
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
