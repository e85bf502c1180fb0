import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anInput } from '../../../../test/builders/articles.ts'
import {
  aClusterer,
  aCorrection,
  aFlush,
  inOrder,
  inOtherWords,
  live,
  madeUpReport,
  undated,
} from '../../../../test/builders/clustered.ts'
import { contentHash } from '../../../events/ids.ts'
import type { Input } from '../../../runtime/shapes.ts'
import { noStories, type ClusteredState, type ClusteredStories } from '../memory.ts'
import { blockBytes } from '../packed-features.ts'
import type { ClusteredInput, ClusteredStage } from '../stage.ts'

/** The state as a disk gives it back. */
async function again({ memory }: ClusteredStage, state: ClusteredState): Promise<ClusteredState> {
  const { snapshot } = memory
  if (snapshot === undefined) throw new Error('the stage saves no state')
  const sections = [...snapshot.write(state)].map((section) => Uint8Array.from(section).buffer)
  const next = async (): Promise<ArrayBuffer> => {
    const section = sections.shift()
    if (section === undefined) throw new Error('there are no more sections')
    return section
  }
  const read = await snapshot.read({ next })
  expect(sections).toEqual([])
  return read
}

interface Happening {
  readonly event: number
  readonly outlet: number
  readonly day: number
  readonly kind: 'article' | 'undated' | 'foreign' | 'revised' | 'flush'
  readonly namespace: string
}

const happenings = fc.array(
  fc.record<Happening>({
    event: fc.nat(6),
    outlet: fc.nat(30),
    day: fc.integer({ min: 0, max: 12 }),
    kind: fc.constantFrom('article', 'article', 'article', 'undated', 'foreign', 'revised', 'flush'),
    namespace: fc.constantFrom('shared', 'shared', 'other'),
  }),
  { minLength: 2, maxLength: 40 },
)

const inputOf = ({ kind, namespace, ...about }: Happening, offset: number): Input<ClusteredInput> => {
  if (kind === 'flush') return aFlush(offset, namespace)
  const report = madeUpReport(about)
  const text = `${report.text} Updated at ${offset}.`
  const article = {
    article: report,
    undated: undated(report, about.day),
    foreign: inOtherWords(report),
    revised: { ...report, text, content_hash: contentHash(report.title, text) },
  }[kind]
  return anInput<ClusteredInput>(
    { ...article, namespace, event_id: `evt_${offset}` },
    { topic: 'articles.analyzed', offset },
  )
}

it('a state that was saved decides as if it had stayed in memory, also while memory overflows', async () => {
  await fc.assert(
    fc.asyncProperty(happenings, fc.nat(40), fc.constantFrom(5, 12, 1_000), async (happened, cut, budget) => {
      const stage = aClusterer(budget, 8)
      const inputs = happened.map(inputOf)
      const before = live(stage, inputs.slice(0, cut))
      const { rows } = before
      const state = await again(stage, before.state)

      const restarted = live(stage, inputs.slice(cut), { state, rows })
      const stayed = live(stage, inputs.slice(cut), before)

      expect(restarted.events).toEqual(stayed.events)
      expect(restarted.entries).toEqual(stayed.entries)
    }),
    { numRuns: 60 },
  )
})

it('keeps what a curator decided, the subject pages and the rebuilt days', async () => {
  const stage = aClusterer()
  const reports = [0, 1, 2, 3].map((outlet) => madeUpReport({ event: outlet % 2, outlet, day: 0 }))
  const [first, second] = reports
  const { events } = live(stage, inOrder(reports))
  const move = aCorrection({
    action: 'move',
    cluster_id: events[0]?.cluster_id ?? '',
    other_cluster_id: events[1]?.cluster_id ?? '',
    article_ids: [first?.article_id ?? ''],
  })
  const { state } = live(stage, [...inOrder(reports), aFlush(0), move])
  const paged = state.namespaces.get('shared') ?? noStories()
  const entry = [...live(stage, inOrder(reports)).entries].find(({ key }) => key.endsWith(second?.article_id ?? '-'))
  if (entry?.value == null) throw new Error('an article is missing')
  stage.memory.evolve(state, { key: entry.key, value: { ...entry.value, subject_id: 'sub_a', duplicate_of: 'art_x' } })

  const read = (await again(stage, state)).namespaces.get('shared') ?? noStories()

  const [before, after] = [paged, read].map(factsOf)
  expect(after).toEqual(before)
  expect(after?.members.some(([, { constraints }]) => constraints.length > 0)).toBe(true)
  expect(after?.pages).toEqual([['sub_a', [second?.article_id]]])
  expect(after?.rebuilt).toHaveLength(1)
})

/** All but the indexes. Features by their bytes: a comparison of the memory that they share would take minutes. */
function factsOf({ members, clusters, days, pages, texts }: ClusteredStories) {
  const inOrder = <Value>(map: ReadonlyMap<string, Value>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  const ids = (articles: Iterable<{ readonly articleId: string }>) => [...articles].map(({ articleId }) => articleId)
  return {
    members: inOrder(members).map(([id, { features, ...member }]) => {
      const { time, dated, hasBody, encoder } = features
      return [id, { ...member, time, dated, hasBody, encoder, block: blockBytes(features).toString('hex') }] as const
    }),
    clusters: inOrder(clusters).map(([id, { newest, members: articles }]) => [id, newest, ids(articles)]),
    rebuilt: [...days.upTo],
    unsettled: [...days.unsettled].map(([day, articles]) => [day, ids(articles.values()).sort()]),
    pages: inOrder(pages).map(([id, articles]) => [id, ids(articles)]),
    texts: inOrder(texts.byArticle),
  }
}

it('uses the memory of evicted articles and the slots of ended stories again', async () => {
  const stage = aClusterer(6)
  const inputs = inOrder(Array.from({ length: 30 }, (_, i) => madeUpReport({ event: i % 7, outlet: i, day: i })))
  const { state, rows } = live(stage, inputs.slice(0, 20))

  const read = await again(stage, state)

  const ends = [state, read].map((from) => {
    const after = live(stage, inputs.slice(20), { state: from, rows }).state
    const { index } = after.namespaces.get('shared') ?? noStories()
    return [index.bySlot.length, index.free.length, after.blocks.layout().used, after.blocks.layout().end]
  })
  expect(ends[1]).toEqual(ends[0])
})

it('has another format with other settings', () => {
  const format = (texts: number) => aClusterer(100, texts).memory.snapshot?.format

  expect(format(10)).not.toBe(format(20))
})
