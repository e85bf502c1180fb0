import { addTo } from '../../../state/keys-by.ts'
import type { RememberedMember } from '../changelog.ts'
import { articleArrived } from '../days.ts'
import type { FeatureBlocks } from '../feature-blocks.ts'
import { addToDay, noteEnds, type Cluster } from '../live-index.ts'
import type { ClusteredStories } from '../memory.ts'
import { sharedName } from '../records.ts'
import {
  arraySection,
  chunksOf,
  jsonSection,
  readJson,
  type StateSection,
  type WrittenSections,
} from '../../../state/sections.ts'

/** Stories and their articles, one story after the other. The numbers of the articles are in an array of their own. */
interface StoryChunk {
  readonly stories: readonly (readonly [id: string, slot: number, newest: number, articles: number])[]
  readonly articleIds: readonly string[]
  readonly seen: readonly (readonly string[])[]
  /** By number. */
  readonly encoders: readonly string[]
  /** By index of the article, only where one of these fields has a value. */
  readonly rare: Readonly<Record<number, RareFields>>
}

type RareFields = Pick<RememberedMember, 'duplicateOf' | 'constraints' | 'subjectId'>

const PLAIN: RareFields = { duplicateOf: null, constraints: [], subjectId: null }

/** The numbers of an article: place of its features, offset, log time, event time, flags, encoder. */
const NUMBERS = 6
const FOUNDED = 1
const DATED = 2
const HAS_BODY = 4

/** All stories with their articles; of the indexes only the slots. */
export function* writeStories({ clusters }: ClusteredStories, blocks: FeatureBlocks): Generator<StateSection> {
  yield jsonSection(clusters.size)
  for (const chunk of chunksOf(clusters.values())) {
    const members = chunk.flatMap((cluster) => cluster.members)
    const encoders = [...new Set(members.map(({ features }) => features.encoder))]
    const written: StoryChunk = {
      stories: chunk.map(({ id, slot, newest, members: { length } }) => [id, slot, newest, length]),
      articleIds: members.map(({ articleId }) => articleId),
      seen: members.map(({ seen }) => seen),
      encoders,
      rare: Object.fromEntries(members.flatMap((member, i) => (isPlain(member) ? [] : [[i, rareOf(member)]]))),
    }
    yield jsonSection(written)
    yield arraySection(numbersOf(members, blocks, encoders))
  }
}

const isPlain = ({ duplicateOf, constraints, subjectId }: RememberedMember): boolean =>
  duplicateOf === null && constraints.length === 0 && subjectId === null

const rareOf = ({ duplicateOf, constraints, subjectId }: RememberedMember): RareFields => ({
  duplicateOf,
  constraints,
  subjectId,
})

function numbersOf(
  members: readonly RememberedMember[],
  blocks: FeatureBlocks,
  encoders: readonly string[],
): Float64Array {
  const numbers = new Float64Array(members.length * NUMBERS)
  for (const [i, { order, loggedAt, founded, features }] of members.entries()) {
    const flags = (founded ? FOUNDED : 0) | (features.dated ? DATED : 0) | (features.hasBody ? HAS_BODY : 0)
    const encoder = encoders.indexOf(features.encoder)
    numbers.set([blocks.placeOf(features), order, loggedAt, features.time, flags, encoder], i * NUMBERS)
  }
  return numbers
}

/** Fills the stories, and the indexes as far as they follow from the articles. The rebuilt days and slots must be there. */
export async function readStories(
  sections: WrittenSections,
  { stories, blocks }: { readonly stories: ClusteredStories; readonly blocks: FeatureBlocks },
): Promise<void> {
  const { clusters, index, arrivals } = stories
  const count = await readJson<number>(sections)
  while (clusters.size < count) {
    const chunk = await readJson<StoryChunk>(sections)
    const numbers = new Float64Array(await sections.next())
    let read = 0
    for (const [id, slot, newest, articles] of chunk.stories) {
      const members: RememberedMember[] = []
      for (; members.length < articles; read++) members.push(memberOf(chunk, numbers, { id, read, blocks }))
      const cluster: Cluster = { id, slot, newest, members }
      clusters.set(id, cluster)
      index.bySlot[slot] = cluster
      noteEnds(index, cluster)
      for (const member of members) addToStories(stories, slot, member)
    }
  }
  for (let slot = 0; slot < index.bySlot.length; slot++) if (index.bySlot[slot] === undefined) index.free.push(slot)
  const inOrder = [...clusters.values()].sort((a, b) => a.newest - b.newest)
  for (const { id, newest } of inOrder) arrivals.add({ id, order: newest }, clusters.size)
}

interface ReadMember {
  /** Of the story. */
  readonly id: string
  /** Index of the article. */
  readonly read: number
  readonly blocks: FeatureBlocks
}

/** Without a spread, which would take seconds and twice the memory for a million articles. */
function memberOf(
  { articleIds, seen, encoders, rare }: StoryChunk,
  numbers: Float64Array,
  { id, read, blocks }: ReadMember,
): RememberedMember {
  const number = (which: number): number => numbers[read * NUMBERS + which] ?? 0
  const block = blocks.at(number(0))
  const flags = number(4)
  const { duplicateOf, constraints, subjectId } = rare[read] ?? PLAIN
  return {
    articleId: articleIds[read] ?? '',
    clusterId: id,
    seen: seen[read] ?? [],
    order: number(1),
    loggedAt: number(2),
    founded: (flags & FOUNDED) !== 0,
    duplicateOf,
    constraints,
    subjectId,
    features: {
      time: number(3),
      dated: (flags & DATED) !== 0,
      hasBody: (flags & HAS_BODY) !== 0,
      encoder: sharedName(encoders[number(5)] ?? ''),
      words: block.words,
      bytes: block.bytes,
      at: block.at,
    },
  }
}

function addToStories({ members, pages, days, index }: ClusteredStories, slot: number, member: RememberedMember): void {
  members.set(member.articleId, member)
  if (member.subjectId !== null) addTo(pages, member.subjectId, member)
  articleArrived(days, member)
  addToDay(index, slot, member)
}
