import { pairIf, type StoryPair } from './join.ts'
import { postings } from './postings.ts'
import type { GraphRules } from './rules.ts'
import type { GraphStory } from './story.ts'
import { emptyTally, type WeighedSlot } from './tally.ts'

/** Stories that come, change and go, and which of the present ones are near each other. */
export interface GraphLiveIndex {
  /** It is there from now on, in the place of what was there under its id. */
  readonly put: (story: GraphStory) => void
  readonly drop: (cluster_id: string) => void
  readonly get: (cluster_id: string) => GraphStory | undefined
  readonly stories: () => readonly GraphStory[]
  /** Every pair that the join of all would make of it, in no order. */
  readonly neighbours: (cluster_id: string) => readonly StoryPair[]
}

interface IndexedStory extends WeighedSlot {
  readonly story: GraphStory
}

/**
 * Exact whatever comes and goes, for nothing is assumed of the others: who looks up walks the lists of its own entities, the
 * rarest first, and leaves out those at the end that together weigh too little. A near story stands in a list before.
 */
export function liveIndex(rules: GraphRules): GraphLiveIndex {
  const held = new Map<string, IndexedStory>()
  const bySlot: (IndexedStory | undefined)[] = []
  const free: number[] = []
  const lists = postings()
  const tally = emptyTally()

  const drop = (cluster_id: string): void => {
    const was = held.get(cluster_id)
    if (was === undefined) return
    for (const posting of was.postings) lists.remove(posting, was.slot)
    held.delete(cluster_id)
    bySlot[was.slot] = undefined
    free.push(was.slot)
  }
  const put = (story: GraphStory): void => {
    drop(story.cluster_id)
    const slot = free.pop() ?? bySlot.length
    const named = story.entities.map((entity) => lists.add(entity, slot))
    const total = named.reduce((sum, { weight }) => sum + weight, 0)
    const one = { story, slot, total, postings: named }
    bySlot[slot] = one
    held.set(story.cluster_id, one)
    tally.weigh(slot, total)
  }
  const neighbours = (cluster_id: string): readonly StoryPair[] => {
    const one = held.get(cluster_id)
    if (one === undefined || one.postings.length < rules.candidate.least) return []
    return tally.near(one, rules).flatMap((slot) => {
      const other = bySlot[slot]
      return other === undefined || other === one ? [] : compared(one, other, rules)
    })
  }
  return {
    ...{ put, drop, neighbours },
    get: (cluster_id) => held.get(cluster_id)?.story,
    stories: () => [...held.values()].map(({ story }) => story),
  }
}

function compared(one: IndexedStory, other: IndexedStory, rules: GraphRules): readonly StoryPair[] {
  let [common, count] = [0, 0]
  for (const posting of other.postings) {
    if (!one.postings.includes(posting)) continue
    common += posting.weight
    count++
  }
  const confidence = common / (one.total + other.total - common)
  if (count < rules.candidate.least) return []
  const pair = pairIf(one.story, other.story, { confidence, rules })
  return pair === null ? [] : [pair]
}
