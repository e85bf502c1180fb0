import { at, type TokenSets } from './token-sets.ts'

/** Weights are whole numbers: what is this near to a bound is on it. */
export const SLACK = 1e-9

/** Twos of a story's tokens that can be the first two it has in common with another; room that is used again. */
export interface EarlyTwos {
  /** How many there are of the story that was looked at last. */
  count: number
  /** How many bits a slot has. */
  bits: number
  /** int32: a number of so many bits for each two; strangers may meet there, comparing distinguishes them. */
  readonly slots: Int32Array
  /** int32: weight of the two. */
  readonly weights: Int32Array
  /** int32: weight of the story's tokens after the second. */
  readonly rest: Int32Array
}

const slotOf = (x: number, y: number, bits: number): number =>
  Math.imul(Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b), 0xc2b2ae35) >>> (32 - bits)

export function roomForTwos({ starts, stories }: TokenSets): EarlyTwos {
  let longest = 0
  for (let i = 0; i < stories.length; i++) longest = Math.max(longest, at(starts, i + 1) - at(starts, i))
  const room = (): Int32Array => new Int32Array((longest * longest) / 2)
  return { count: 0, bits: 1, slots: room(), weights: room(), rest: room() }
}

export interface Early {
  readonly story: number
  /** Of the story's weight that the other must have too, 0 to 1. */
  readonly share: number
  /** Entities that both must have: as many as that stand from the first of the two on. */
  readonly least: number
}

export function earlyTwos(sets: TokenSets, { story, share, least }: Early, twos: EarlyTwos): void {
  const { starts, tokens, rest, weights, totals } = sets
  const from = at(starts, story)
  const to = at(starts, story + 1)
  const needed = share * at(totals, story) - SLACK
  twos.count = 0
  for (let i = from; i <= to - least && at(rest, i) >= needed; i++) {
    const x = at(tokens, i)
    const after = needed - at(weights, x)
    for (let j = i + 1; j <= to - least + 1 && at(rest, j) >= after; j++) {
      const y = at(tokens, j)
      twos.slots[twos.count] = slotOf(x, y, twos.bits)
      twos.weights[twos.count] = at(weights, x) + at(weights, y)
      twos.rest[twos.count++] = at(rest, j) - at(weights, y)
    }
  }
}
