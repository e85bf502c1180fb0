import { sha256 } from '../../../events/ids.ts'
import type { ClusteringModel } from '../../../language/clustering/model.ts'
import { allSteps } from '../../../state/steps.ts'
import { FeatureBlocks, type BlocksLayout } from '../feature-blocks.ts'
import {
  buildIndexes,
  emptyState,
  noStories,
  type ClusteredState,
  type ClusteredStories,
  type MemorySettings,
} from '../memory.ts'
import { readIndex, writeIndex } from './live-index.ts'
import {
  jsonSection,
  readJson,
  type StateSection,
  type StateSnapshot,
  type WrittenSections,
} from '../../../state/sections.ts'
import { readStories, writeStories } from './stories.ts'
import { readTexts, writeTexts } from './texts.ts'

/** Raise it when sections have another meaning. */
const LAYOUT = 2

interface SnapshotHeader {
  readonly blocks: BlocksLayout
  readonly slabs: number
  readonly namespaces: readonly string[]
}

/**
 * The state as the arrays and articles that it consists of. To read it takes a tenth of the time of a replay, in which
 * each article is decoded and added to every index.
 */
export const clusteredSnapshot = (
  { texts }: MemorySettings,
  model: Pick<ClusteringModel, 'weights' | 'mu'>,
): StateSnapshot<ClusteredState> => ({
  format: [LAYOUT, texts, model.weights.join.members_compared, hashOf(model.mu)].join('-'),
  write: (state) => {
    allSteps(buildIndexes(state, model)) // only what changed since the last decision
    return write(state)
  },
  read,
})

const hashOf = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  sha256(Buffer.from(buffer, byteOffset, byteLength).toString('latin1')).toString('hex', 0, 8)

function* write({ blocks, namespaces }: ClusteredState): Generator<StateSection> {
  const slabs = [...blocks.slabs()]
  const header: SnapshotHeader = { blocks: blocks.layout(), slabs: slabs.length, namespaces: [...namespaces.keys()] }
  yield jsonSection(header)
  yield* slabs
  for (const stories of namespaces.values()) {
    yield jsonSection([...stories.days.upTo])
    yield* writeIndex(stories.index)
    yield* writeStories(stories, blocks)
    yield* writeTexts(stories.texts)
  }
}

async function read(sections: WrittenSections): Promise<ClusteredState> {
  const { blocks: layout, slabs, namespaces } = await readJson<SnapshotHeader>(sections)
  const buffers: ArrayBufferLike[] = []
  while (buffers.length < slabs) buffers.push(await sections.next())
  const state: ClusteredState = { ...emptyState(), blocks: FeatureBlocks.of(layout, buffers) }
  for (const namespace of namespaces) {
    const stories = await readNamespace(sections, state, namespace)
    state.namespaces.set(namespace, stories)
    state.size += stories.members.size
  }
  return state
}

async function readNamespace(
  sections: WrittenSections,
  { blocks, recent }: ClusteredState,
  namespace: string,
): Promise<ClusteredStories> {
  const stories = noStories()
  for (const [day, upTo] of await readJson<readonly (readonly [number, number])[]>(sections)) {
    stories.days.upTo.set(day, upTo)
  }
  await readIndex(sections, stories.index)
  await readStories(sections, { stories, blocks })
  await readTexts(sections, { recent, namespace, texts: stories.texts })
  return stories
}
