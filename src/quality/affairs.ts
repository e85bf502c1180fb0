import { z } from 'zod'
import { ratio } from '../domain/quality/b-cubed.ts'
import { jsonLines } from './labelled-file.ts'

const Line = z.object({
  affair: z.string(),
  half: z.enum(['learn', 'measure']),
  members: z.array(z.string()),
  near_misses: z.array(z.string()),
})

/** A long-running matter, and the articles that a reader put into it. An article in no list is unknown. */
export interface Affair {
  readonly affair: string
  readonly half: 'learn' | 'measure'
  /** Article ids; an article is a member of one affair only. */
  readonly members: readonly string[]
  /** Ids of articles that share its people, place or subject, and are no members. */
  readonly near_misses: readonly string[]
}

/** Affairs of a file of JSON lines. Throws `BadLine`. */
export const affairsOf = (text: string): readonly Affair[] => jsonLines(text, Line)

/** Where an article is in the end. */
export interface AffairPlace {
  readonly story: string
  /** Null: its story is in no thread. */
  readonly thread: string | null
}

/** Shares of pairs of articles, 0 to 1. */
export interface AffairScore {
  /** Of the pairs of members of one affair: those in one story. */
  readonly in_story: number
  /** Of the same pairs: those in one story or thread. */
  readonly recall: number
  /** Of the judged pairs that are in one story or thread: those of one affair. */
  readonly precision: number
  /** The same without near misses: all articles are members of some affair. */
  readonly precision_of_members: number
  /** Pairs of members of one affair. */
  readonly pairs: number
}

/** Throws where an affair names an article that is not known: a file that lacks it cannot be measured with it. */
export function checkMembers(affairs: readonly Affair[], known: ReadonlySet<string>): void {
  const missing = affairs
    .flatMap(({ members, near_misses }) => [...members, ...near_misses])
    .find((id) => !known.has(id))
  if (missing !== undefined) throw new Error(`article ${missing} of the affairs is not in the file of articles`)
}

/**
 * Stories and threads against the affairs of one half. A judged pair is a member of such an affair with another member of
 * it, which is right, or with one of its near misses or a member of any other affair of either half, which is wrong. One
 * thread of everything therefore has a precision near 0, and threads of one story each have no recall.
 */
export function scoreAffairs(
  affairs: readonly Affair[],
  { half, places }: { readonly half: Affair['half']; readonly places: ReadonlyMap<string, AffairPlace> },
): AffairScore {
  const scored = affairs.filter((affair) => affair.half === half)
  const together = ([one, other]: AffairsPair): boolean => isTogether(places.get(one), places.get(other))
  const own = scored.flatMap(({ members }) => pairsOf(members))
  const near = scored.flatMap(({ members, near_misses }) => pairsAcross(members, near_misses))
  const others = scored.flatMap((one) => pairsAcross(one.members, othersThan(one, affairs)))

  const right = own.filter(together).length
  const [nearWrong, otherWrong] = [near.filter(together).length, others.filter(together).length]
  const inStory = own.filter(([one, other]) => isOneStory(places.get(one), places.get(other))).length
  return {
    in_story: ratio(inStory, own.length),
    recall: ratio(right, own.length),
    precision: ratio(right, right + nearWrong + otherWrong),
    precision_of_members: ratio(right, right + otherWrong),
    pairs: own.length,
  }
}

type AffairsPair = readonly [string, string]

const pairsOf = (ids: readonly string[]): readonly AffairsPair[] =>
  ids.flatMap((id, i) => ids.slice(i + 1).map((other) => [id, other] as const))

const pairsAcross = (ids: readonly string[], others: readonly string[]): readonly AffairsPair[] =>
  ids.flatMap((id) => others.map((other) => [id, other] as const))

/** Members of all other affairs that are not among its near misses anyway. */
function othersThan({ affair, near_misses }: Affair, affairs: readonly Affair[]): readonly string[] {
  const near = new Set(near_misses)
  return affairs
    .filter((other) => other.affair !== affair)
    .flatMap(({ members }) => members.filter((id) => !near.has(id)))
}

const isOneStory = (one: AffairPlace | undefined, other: AffairPlace | undefined): boolean =>
  one !== undefined && one.story === other?.story

const isTogether = (one: AffairPlace | undefined, other: AffairPlace | undefined): boolean =>
  isOneStory(one, other) || (one !== undefined && one.thread !== null && one.thread === other?.thread)
