import { describe, expect, it } from 'vitest'
import { besideName } from '../../adapters/beside-log.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { articlesAnalyzed } from '../../events/articles.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { clockTicked, correctionsRequested } from '../../events/settings.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { clustered } from '../../stages/clustered/stage.ts'
import { A_DAY } from '../../../test/builders/articles.ts'
import { madeUpReport, storiesOf } from '../../../test/builders/clustered.ts'
import {
  aFlushTick,
  aNewsroom,
  aWord,
  liveOn,
  portsOf,
  remembered,
  someNews,
  MUCH_STRICTER,
  strictBy,
  type Newsroom,
} from '../../../test/builders/reprocess.ts'
import { dropBeside, reprocessStage, type ReprocessRequest } from './reprocess-stage.ts'
import { reprocessed } from './stages.ts'

const request = (over: Partial<ReprocessRequest> = {}): ReprocessRequest => ({
  stage: reprocessed('clustered'),
  version: '5',
  from: null,
  mode: 'accept',
  ...over,
})

/** The log time of the records, after the days of their articles. */
const LONG_AFTER = A_DAY + 30 * 86_400_000

/** Publishes articles, reclusters their stories, and waits until everything is processed. */
async function aDay(budget = 1_000): Promise<Newsroom> {
  const room = aNewsroom(new MemoryLog({ now: () => LONG_AFTER }), budget)
  await room.publish(articlesAnalyzed, someNews(12, 6))
  await room.publish(clockTicked, [aFlushTick(1)])
  await room.cluster()
  return room
}

/** The first splits a story, the second joins some. */
const OTHERS = [
  { what: 'a stricter version', by: MUCH_STRICTER },
  { what: 'a laxer version', by: -2 },
]

describe('reprocessing the clusterer', { timeout: 120_000 }, () => {
  it('by the same version changes nothing', async () => {
    const room = await aDay()
    const before = await room.ledger()

    const report = await reprocessStage(request({ mode: 'switch' }), portsOf(room, strictBy(0)))

    expect(report.stories).toMatchObject({ moved: 0, kept_share: 1, articles: 72 })
    expect(report.switched).toMatchObject({ events: 0 })
    expect(await room.ledger()).toEqual(before)
  })

  it.each(OTHERS)('$what has its articles together, under ids that were known', async ({ by }) => {
    const room = await aDay()
    const before = storiesOf(await room.ledger())

    await reprocessStage(request({ mode: 'compare' }), portsOf(room, strictBy(by)))
    const expected = storiesOf(await room.ledger(besideName(articlesClustered.name)))
    const report = await reprocessStage(request(), portsOf(room, strictBy(by)))

    const ledger = await room.ledger()
    const after = storiesOf(ledger)
    expect(groups(after)).toEqual(groups(expected))
    expect([...after].filter(([article, story]) => before.get(article) !== story)).toHaveLength(
      report.stories?.moved ?? 0,
    )
    expect(report.stories?.moved).toBeGreaterThan(0)
    const reprocessed = ledger.filter(({ decision }) => decision.rule === 'reprocessed')
    expect(reprocessed).toHaveLength(report.switched?.events ?? 0)
    expect(new Set(reprocessed.map(({ produced_by }) => produced_by.version))).toEqual(new Set(['5']))
    expect(new Set(reprocessed.map(({ occurred_at }) => occurred_at)).size).toBe(1)
    expect(new Set(ledger.map(({ event_id }) => event_id)).size).toBe(ledger.length)
  })

  it.each(OTHERS)(
    'after $what the memory is as the ledger, and a second switch finds nothing to do',
    async ({ by }) => {
      const room = await aDay()
      await reprocessStage(request(), portsOf(room, strictBy(by)))

      const again = await reprocessStage(request({ version: '6' }), portsOf(room, strictBy(by)))

      expect(again.switched).toMatchObject({ events: 0, entries: 0 })
      expect(await remembered(room)).toEqual(storiesOf(await room.ledger()))
    },
  )

  it('articles that were evicted find the story of the new version', async () => {
    const [room, budget] = [await aDay(30), 30]
    const before = storiesOf(await room.ledger())
    expect(await remembered(room)).toEqual(before)

    const report = await reprocessStage(request(), portsOf(room, strictBy(-2, budget)))

    const after = storiesOf(await room.ledger())
    expect(report.stories?.moved).toBeGreaterThan(0)
    expect(await remembered(room)).toEqual(after)
    const again = await reprocessStage(request({ version: '6' }), portsOf(room, strictBy(-2, budget)))
    expect(again.switched).toMatchObject({ events: 0, entries: 0 })
  })

  it('a clusterer that was at work is fenced, and goes on with the stories of the new version', async () => {
    const room = await aDay()
    const live = await runMemoryStage(clustered(strictBy(0)), liveOn(room))
    await reprocessStage(request(), portsOf(room, strictBy(-2)))

    const late = madeUpReport({ event: 3, outlet: 9, day: 1 })
    await room.publish(articlesAnalyzed, [late])
    await room.untilRead()
    await live.stop()

    const stories = storiesOf(await room.ledger())
    const fellows = someNews(12, 6).filter((_, i) => i % 12 === 3)
    expect(fellows.map(({ article_id }) => stories.get(article_id))).toContain(stories.get(late.article_id))
    expect(stories.size).toBe(73)
    expect(await remembered(room)).toEqual(stories)
  })

  it('what a curator said holds', async () => {
    const room = await aDay()
    const stories = storiesOf(await room.ledger())
    const [article = '', from = ''] = [...stories][0] ?? []
    const other = [...stories].find(([, story]) => story !== from)?.[1] ?? ''
    await room.publish(correctionsRequested, [
      aWord({ cluster_id: from, other_cluster_id: other, article_ids: [article] }),
    ])
    await room.cluster()

    await reprocessStage(request(), portsOf(room, strictBy(-2)))

    expect(storiesOf(await room.ledger()).get(article)).toBe(other)
    expect((await remembered(room)).get(article)).toBe(other)
  })

  it('is not switched to where too many pairs lose their story, unless that is accepted', async () => {
    const room = await aDay()
    const before = await room.ledger()

    const report = await reprocessStage(request({ mode: 'switch' }), portsOf(room, strictBy(MUCH_STRICTER)))

    expect(report.held).toMatch(/^only 60\.80 % of the article pairs .* 98 % are required/)
    expect(await room.ledger()).toEqual(before)
    expect((await reprocessStage(request(), portsOf(room, strictBy(MUCH_STRICTER)))).switched?.events).toBeGreaterThan(
      0,
    )
  })

  it('holds results of one version only: another begins anew', async () => {
    const room = await aDay()
    await reprocessStage(request({ mode: 'compare' }), portsOf(room, strictBy(2)))
    await room.publish(articlesAnalyzed, [madeUpReport({ event: 5, outlet: 9, day: 1 })])

    const other = reprocessStage(request({ version: '6', mode: 'compare' }), portsOf(room, strictBy(2)))

    await expect(other).rejects.toThrow(
      'articles.clustered.next contains results of versions 5 and 6. Delete them (story reprocess clustered --drop) and run again',
    )
    expect(await dropBeside(reprocessed('clustered'), portsOf(room, strictBy(2)))).toBe(6)
  })
})

/** The articles of each story, independent of its id. */
function groups(stories: ReadonlyMap<string, string>): string[] {
  const found = new Map<string, string[]>()
  for (const [article, story] of stories) found.set(story, [...(found.get(story) ?? []), article])
  return [...found.values()].map((articles) => articles.sort().join(' ')).sort()
}
