import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ledgers } from '../../../test/builders/ledgers.ts'
import { holds } from '../../../test/builders/sizes.ts'
import { aLinker, contentOf, folded, graphOf, live } from '../../../test/builders/linked.ts'
import type { StoryLinked } from '../../events/graph.ts'
import type { ArticleClustered } from '../../events/ledger.ts'

const chances = fc.array(fc.nat(), { minLength: 35, maxLength: 35 })

it('what was told is the graph of the facts, to the bit, however often the memory was restored', async () => {
  const seen = { shared: 0, threads: 0, ledger: 0, removed: 0 }
  const runs = await holds(
    fc.property(ledgers, chances, (ledger, random) => {
      const linker = aLinker()
      const emitted: StoryLinked[] = []
      for (const [i, line] of ledger.entries()) {
        const heard = linker.hear(line)
        if (typeof heard !== 'string') emitted.push(...heard)
        const chance = i + 1 === ledger.length ? 0 : (random[i] ?? 0) % 7
        if (chance === 1) linker.restart((keys) => shuffled(keys, random))
        if (chance > 0) continue

        const now = graphOf(ledger.slice(0, i + 1))
        if (!isDeepStrictEqual(folded(emitted), now)) expect(folded(emitted)).toEqual(now)
        seen.shared += now.links.filter(({ type }) => type === 'shared_entities').length
        seen.ledger += now.links.filter(({ shared_entities }) => shared_entities.length === 0).length
        seen.threads += now.threads.size
      }
      seen.removed += emitted.filter(({ action }) => action === 'removed').length
      expect(new Set(emitted.map(({ event_id }) => event_id)).size).toBe(emitted.length)
    }),
    { most: 200, least: 20, cpuSeconds: 1 },
  )
  // the test is meaningless for graphs without links
  expect(Object.entries(seen).filter(([, times]) => times < runs)).toEqual([])
}, 120_000)

it('names no story before it has an article, whenever one asks', async () => {
  let linked = 0
  const runs = await holds(
    fc.property(ledgers, (ledger) => {
      const { emitted } = live(ledger)
      const firstAt = firstTimes(ledger)
      for (const moment of [...new Set(ledger.map(({ occurred_at }) => occurred_at))]) {
        const { links, threads } = folded(emitted.filter(({ occurred_at }) => occurred_at <= moment))
        const named = [
          ...links.filter((link) => link.shared_entities.length > 0).flatMap(({ source, target }) => [source, target]),
          ...threads.keys(),
        ]
        expect(named.filter((id) => (firstAt.get(id) ?? Infinity) > moment)).toEqual([])
        linked += named.length
      }
    }),
    { most: 60, least: 10, cpuSeconds: 0.5 },
  )
  expect(linked).toBeGreaterThan(3 * runs)
}, 120_000)

/** By story: event time of the earliest revision of any article that was ever in it. */
function firstTimes(ledger: readonly ArticleClustered[]): ReadonlyMap<string, number> {
  const [ofArticle, ofStory] = [new Map<string, number>(), new Map<string, number>()]
  const earlier = (times: Map<string, number>, id: string, at: number) =>
    times.set(id, Math.min(at, times.get(id) ?? Infinity))
  for (const { change, article_id, cluster_id, occurred_at } of ledger) {
    if (change === null) earlier(ofArticle, article_id, occurred_at)
    const moving = change === null ? [article_id] : change.correction?.refused == null ? change.article_ids : []
    for (const id of moving) earlier(ofStory, cluster_id, ofArticle.get(id) ?? Infinity)
  }
  return ofStory
}

const shuffled = (keys: readonly string[], random: readonly number[]): string[] =>
  keys
    .map((key, i) => ({ key, by: Math.imul((random[i % random.length] ?? 0) + i, 2_654_435_761) >>> 0 }))
    .sort((a, b) => a.by - b.by)
    .map(({ key }) => key)

it('what is restored from the changelog, in whatever order, is what lived: also when stories have left', async () => {
  await holds(
    fc.property(ledgers, chances, (ledger, random) => {
      const [lived, restored] = [live(ledger, { budget: 8 }), live(ledger, { budget: 8 })]

      restored.restart((keys) => shuffled(keys, random))

      expect(contentOf(restored.state())).toEqual(contentOf(lived.state()))
      for (const line of ledger.slice(0, 12)) expect(restored.hear(line)).toEqual(lived.hear(line))
    }),
    { most: 60, least: 10, cpuSeconds: 0.5 },
  )
}, 120_000)
