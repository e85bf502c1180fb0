import { SLACK } from './early-twos.ts'
import { doubled, type EntityPosting } from './postings.ts'
import type { GraphRules } from './rules.ts'
import { at } from './token-sets.ts'

/** A story under its number. */
export interface WeighedSlot {
  readonly slot: number
  /** Of all its entities together. */
  readonly total: number
  readonly postings: readonly EntityPosting[]
}

/** Adds up, story by story, what of somebody's entities they have: room that is used again. */
export interface GraphTally {
  readonly weigh: (slot: number, total: number) => void
  /** Slots of all that can be near enough, and of some that are not. */
  readonly near: (one: WeighedSlot, rules: GraphRules) => readonly number[]
}

const FIRST_ROOM = 1_024

export function emptyTally(): GraphTally {
  let totals: Int32Array = new Int32Array(FIRST_ROOM)
  let sums: Int32Array = new Int32Array(FIRST_ROOM)
  let touched: Int32Array = new Int32Array(FIRST_ROOM)

  const weigh = (slot: number, total: number): void => {
    if (slot >= totals.length) [totals, sums, touched] = [doubled(totals), doubled(sums), doubled(touched)]
    totals[slot] = total
  }

  const near = (one: WeighedSlot, { candidate: { confidence: t, least } }: GraphRules): readonly number[] => {
    const { first, rest } = early(one, t, least)
    let met = 0
    for (const { slots, size, weight } of first) {
      for (let i = 0; i < size; i++) {
        const slot = at(slots, i)
        const sum = at(sums, slot)
        if (sum === 0) touched[met++] = slot
        sums[slot] = sum + weight
      }
    }
    const found: number[] = []
    for (let i = 0; i < met; i++) {
      const slot = at(touched, i)
      // All of the rest on top is the most that the two can have in common.
      if ((at(sums, slot) + rest) * (1 + t) >= t * (one.total + at(totals, slot)) - SLACK) found.push(slot)
      sums[slot] = 0
    }
    return found
  }
  return { weigh, near }
}

interface EarlyLists {
  readonly first: readonly EntityPosting[]
  /** Weight of the entities that are left out. */
  readonly rest: number
}

/** The shortest lists: a story in none of them has too little weight in common, or too few entities. */
function early({ postings, total }: WeighedSlot, t: number, least: number): EarlyLists {
  const first = [...postings].sort((a, b) => a.size - b.size)
  let rest = 0
  for (let left = 1; first.length > 0; left++) {
    const more = rest + (first[first.length - 1]?.weight ?? 0)
    if (left >= least && more >= t * total - SLACK) break
    rest = more
    first.pop()
  }
  return { first, rest }
}
