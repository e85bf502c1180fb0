import { bCubed } from '../../domain/quality/b-cubed.ts'
import type { ClusteredBlocksMove } from '../../stages/clustered/reprocess/kept-ids.ts'
import type { Switched } from '../../stages/clustered/reprocess/switch-lines.ts'

/** How the stories of a new version agree with those of the old one. */
export interface Agreement {
  /** Articles that both versions have assigned, or that keep their story because the new version does not know them. */
  readonly articles: number
  readonly only_before: number
  readonly only_after: number
  readonly stories_before: number
  readonly stories_after: number
  /** Articles that move to another story. */
  readonly moved: number
  /**
   * `split`: stories whose articles go to several; `joined`: stories with articles of several; `opened`: new ids;
   * `merged`: ids without articles.
   */
  readonly split: number
  readonly joined: number
  readonly opened: number
  readonly merged: number
  /**
   * Pairs of articles that were in one story before; `pairs_kept`: those where both stay in that story, with its id.
   */
  readonly pairs: number
  readonly pairs_kept: number
  /** `pairs_kept` / `pairs`; 1 if there are no pairs. */
  readonly kept_share: number
  /** B-cubed of the new stories, with the old ones as reference. */
  readonly b_cubed: { readonly precision: number; readonly recall: number; readonly f1: number }
  readonly examples: readonly (ClusteredBlocksMove & { readonly namespace: string })[]
}

const EXAMPLES = 5

/** Totals over all namespaces. */
export function agreement(switched: readonly Switched[]): Agreement {
  const moves = switched.flatMap((one) => one.moves.map((move) => ({ ...move, namespace: one.namespace })))
  const moved = moves.filter(({ from, to }) => from !== to)
  const before = sizes(moves.map(({ from }) => from))
  const after = sizes(moves.map(({ to }) => to))
  const stayed = sizes(moves.filter(({ from, to }) => from === to).map(({ to }) => to))
  const pairs = pairsIn(before)
  const pairs_kept = pairsIn(stayed)
  return {
    articles: moves.length,
    only_before: sum(switched.map((one) => one.only_before)),
    only_after: sum(switched.map((one) => one.only_after)),
    stories_before: before.size,
    stories_after: after.size,
    moved: moved.length,
    split: several(moves, 'from', 'to'),
    joined: several(moves, 'to', 'from'),
    opened: [...after.keys()].filter((id) => !before.has(id)).length,
    merged: [...before.keys()].filter((id) => !after.has(id)).length,
    pairs,
    pairs_kept,
    kept_share: pairs === 0 ? 1 : pairs_kept / pairs,
    b_cubed: bCubed(moves.map(({ from, to }) => ({ gold: from, predicted: to }))),
    examples: moved.slice(0, EXAMPLES),
  }
}

function sizes(stories: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const story of stories) counts.set(story, (counts.get(story) ?? 0) + 1)
  return counts
}

const pairsIn = (counts: ReadonlyMap<string, number>): number =>
  sum([...counts.values()].map((count) => (count * (count - 1)) / 2))

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** Number of stories at `end` whose articles are in several stories at `other`. */
function several(moves: readonly ClusteredBlocksMove[], end: 'from' | 'to', other: 'from' | 'to'): number {
  const found = new Map<string, Set<string>>()
  for (const move of moves) found.set(move[end], (found.get(move[end]) ?? new Set()).add(move[other]))
  return [...found.values()].filter(({ size }) => size > 1).length
}
