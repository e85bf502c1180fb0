import type { GraphStory } from './story.ts'

/** Stories as sets of numbers in typed arrays: what comparing a hundred thousand of them needs. */
export interface TokenSets {
  /** By weight, the lightest first; those of too few entities are not there. */
  readonly stories: readonly GraphStory[]
  /** int32[stories + 1]: where the tokens of each story begin; the last is where all end. */
  readonly starts: Int32Array
  /** int32[tokens]: an entity's rank, the rarest has the lowest; ascending within a story. */
  readonly tokens: Int32Array
  /** int32[tokens]: weight of this token and all after it in its story. */
  readonly rest: Int32Array
  /** int32[entities]: by rank. */
  readonly weights: Int32Array
}

/** A story's weight: of all its entities together. */
export const weightOf = ({ entities }: GraphStory): number => entities.reduce((sum, { weight }) => sum + weight, 0)

export function tokenSets(all: readonly GraphStory[], least: number): TokenSets {
  const stories = lightestFirst(all.filter(({ entities }) => entities.length >= least))
  const starts = new Int32Array(stories.length + 1)
  for (const [i, { entities }] of stories.entries()) starts[i + 1] = (starts[i] ?? 0) + entities.length

  const { seen, counts, weights } = numbered(stories, starts[stories.length] ?? 0)
  const ranks = rarestFirst(counts)
  const tokens = seen.map((entity) => ranks[entity] ?? 0)
  const byRank = new Int32Array(weights.length)
  for (const [entity, weight] of weights.entries()) byRank[ranks[entity] ?? 0] = weight

  const rest = new Int32Array(tokens.length)
  for (let story = 0; story < stories.length; story++) {
    const [from, to] = [starts[story] ?? 0, starts[story + 1] ?? 0]
    tokens.subarray(from, to).sort()
    for (let at = to - 1, sum = 0; at >= from; at--) rest[at] = sum += byRank[tokens[at] ?? 0] ?? 0
  }
  return { stories, starts, tokens, rest, weights: byRank }
}

function lightestFirst(stories: readonly GraphStory[]): readonly GraphStory[] {
  const byWeight: GraphStory[][] = []
  for (const story of stories) (byWeight[weightOf(story)] ??= []).push(story)
  return byWeight.flat()
}

interface Numbered {
  /** int32[tokens]: entities in the order of the stories, each by a number of its own. */
  readonly seen: Int32Array
  /** By number: stories that name it, and its weight. */
  readonly counts: Int32Array
  readonly weights: Int32Array
}

function numbered(stories: readonly GraphStory[], size: number): Numbered {
  const numbers = new Map<string, number>()
  const seen = new Int32Array(size)
  const counts = new Int32Array(size)
  const weights = new Int32Array(size)
  let at = 0
  for (const { entities } of stories) {
    for (const { entity_id, weight } of entities) {
      let number = numbers.get(entity_id)
      if (number === undefined) {
        number = numbers.size
        numbers.set(entity_id, number)
        weights[number] = weight
      }
      counts[number] = (counts[number] ?? 0) + 1
      seen[at++] = number
    }
  }
  return { seen, counts: counts.slice(0, numbers.size), weights: weights.slice(0, numbers.size) }
}

/** int32[entities]: rank by number. */
function rarestFirst(counts: Int32Array): Int32Array {
  // Count and number in one float each: numbers sort many times faster than objects do.
  const keys = Float64Array.from(counts, (count, number) => count * counts.length + number).sort()
  const ranks = new Int32Array(counts.length)
  for (const [rank, key] of keys.entries()) ranks[key % counts.length] = rank
  return ranks
}
