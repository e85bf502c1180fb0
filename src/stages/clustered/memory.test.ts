import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PlainCodec } from '../../adapters/plain-codec.ts'
import type { ArticleAnalyzed } from '../../events/articles.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { articleId, contentHash } from '../../events/ids.ts'
import type { Entry } from '../../state/entry.ts'
import {
  aClusterer,
  aCorrection,
  aReport,
  inOrder,
  live,
  madeUpReport,
  storiesOf,
  undated,
} from '../../../test/builders/clustered.ts'
import { realArticles, type RealArticle } from '../../../test/builders/real-articles.ts'
import { clusteredMemory, type MemberRecord } from './changelog.ts'

/** The newest entry of each key, as in a compacted topic. */
const compacted = (entries: readonly Entry<MemberRecord>[]): Entry<MemberRecord>[] => [
  ...new Map(entries.map((entry) => [entry.key, entry])).values(),
]

/** Entries after a round trip through their Avro bytes. */
async function throughTheLog(entries: readonly Entry<MemberRecord>[]): Promise<Entry<MemberRecord>[]> {
  const codec = new PlainCodec()
  const back: Entry<MemberRecord>[] = []
  for (const { key, value } of entries) {
    if (value === null) back.push({ key, value })
    else {
      const decoded = await codec.decode(clusteredMemory, await codec.encode(clusteredMemory, value))
      back.push({ key, value: decoded.kind === 'event' ? decoded.event : null })
    }
  }
  return back
}

/**
 * Processes `articles` without interruption, and again with a restart after `cut` of them. Returns the events after the
 * cut from both runs.
 */
async function bothWays(articles: readonly ArticleAnalyzed[], { cut, budget }: { cut: number; budget: number }) {
  const stage = aClusterer(budget)
  const inputs = inOrder(articles)
  const whole = live(stage, inputs)
  const before = live(stage, inputs.slice(0, cut))
  let state = stage.memory.empty()
  for (const entry of await throughTheLog(compacted(before.entries))) state = stage.memory.evolve(state, entry)
  const after = live(stage, inputs.slice(cut), { state, rows: before.rows })
  return {
    whole,
    again: { events: [...before.events, ...after.events], entries: [...before.entries, ...after.entries] },
  }
}

const someNews = fc.array(
  fc.record({ event: fc.nat(6), outlet: fc.nat(30), day: fc.integer({ min: 0, max: 24 }), dated: fc.boolean() }),
  { minLength: 2, maxLength: 40 },
)

const reports = (news: readonly { event: number; outlet: number; day: number; dated: boolean }[]): ArticleAnalyzed[] =>
  news.map(({ dated, ...about }, i) => {
    const report = madeUpReport({ ...about, day: about.day / 2 })
    const text = i % 5 === 4 ? `${report.text} Updated.` : report.text // occasionally a revision of an earlier article
    const article = aReport({ ...report, text, content_hash: contentHash(report.title, text), event_id: `evt_${i}` })
    return dated ? article : undated(article, about.day / 2)
  })

describe('a restarted clusterer', () => {
  it('goes on as if it had never stopped, also while memory overflows', async () => {
    await fc.assert(
      fc.asyncProperty(someNews, fc.nat(40), fc.constantFrom(5, 12, 1_000), async (news, cut, budget) => {
        const { whole, again } = await bothWays(reports(news), { cut, budget })

        expect(again.events).toEqual(whole.events)
        expect(again.entries.map(({ key }) => key)).toEqual(whole.entries.map(({ key }) => key))
      }),
      { numRuns: 40 },
    )
  })

  it('is the same in whatever order its entries come back', () => {
    const stage = aClusterer(20)
    const inputs = inOrder(
      reports(Array.from({ length: 40 }, (_, i) => ({ event: i % 7, outlet: i, day: i % 9, dated: true }))),
    )
    const half = live(stage, inputs.slice(0, 30))
    const entries = compacted(half.entries)
    const rest = live(stage, inputs.slice(30), half)

    fc.assert(
      fc.property(fc.shuffledSubarray(entries, { minLength: entries.length }), (shuffled) => {
        const state = shuffled.reduce((folded, entry) => stage.memory.evolve(folded, entry), stage.memory.empty())
        const again = live(stage, inputs.slice(30), { state, rows: half.rows })

        expect(again.events).toEqual(rest.events)
        expect(again.entries.map(({ key }) => key)).toEqual(rest.entries.map(({ key }) => key))
      }),
      { numRuns: 20 },
    )
  })

  it('repeats a run to the byte', async () => {
    const inputs = inOrder(
      reports(Array.from({ length: 30 }, (_, i) => ({ event: i % 5, outlet: i, day: i % 6, dated: i % 4 > 0 }))),
    )
    const codec = new PlainCodec()
    const bytes = () =>
      Promise.all(
        live(aClusterer(), inputs).events.map(async (event) =>
          (await codec.encode(articlesClustered, event)).toString('hex'),
        ),
      )

    expect(await bytes()).toEqual(await bytes())
  })
})

describe('memory', () => {
  const news = (count: number, namespace: string) =>
    Array.from({ length: count }, (_, i) =>
      aReport({ ...madeUpReport({ event: i % 7, outlet: i, day: -3 * i }), namespace, event_id: `${namespace}${i}` }),
    )

  it('leaves by budget, a whole story at a time: the one that got no article for longest, whatever the dates', () => {
    const report = (event: number, outlet: number, day: number) => madeUpReport({ event, outlet, day })
    const flood = [report(1, 1, 90), report(1, 3, 90)] as const
    const articles = [report(0, 0, 0), flood[0], report(0, 2, 0), flood[1], report(0, 4, 0), report(2, 5, -90)]
    const { state, entries } = live(aClusterer(5), inOrder(articles))

    expect(entries.filter(({ value }) => value === null).map(({ key }) => key)).toEqual(
      flood.map(({ article_id }) => `shared:${article_id}`),
    )
    expect(state.size).toBe(4)
  })

  it('never forgets the story an article goes to', () => {
    const { events, state } = live(
      aClusterer(2),
      inOrder([0, 1, 2, 3].map((outlet) => madeUpReport({ event: 0, outlet, day: 0 }))),
    )

    expect(new Set(events.map(({ cluster_id }) => cluster_id)).size).toBe(1)
    expect(state.size).toBe(4)
  })

  it('makes room in the largest namespace', () => {
    const { state } = live(aClusterer(10), inOrder([...news(4, 'quiet-one'), ...news(20, 'busy-one')]))

    expect([...state.namespaces].map(([name, { members }]) => [name, members.size])).toEqual([
      ['quiet-one', 4],
      ['busy-one', 6],
    ])
  })

  it('comes down to a smaller budget by and by', () => {
    const { state } = live(aClusterer(1_000), inOrder(news(130, 'shared')))
    const sizes = [130, 131].map((i) => {
      const next = inOrder(news(i + 1, 'shared').slice(-1), i)
      return live(aClusterer(10), next, { state }).state.size
    })

    expect(sizes).toEqual([31, 10])
  })

  it('is empty again when everything is forgotten', () => {
    const stage = aClusterer()
    const { state, entries } = live(stage, inOrder(news(20, 'shared')))
    for (const { key } of entries) stage.memory.evolve(state, { key, value: null })

    expect(state).toEqual(stage.memory.empty())
  })

  it('takes an article back into the story it founded when both met again after it was forgotten', () => {
    const founder = madeUpReport({ event: 0, outlet: 0, day: 0 })
    const follower = madeUpReport({ event: 0, outlet: 1, day: 0 })
    const stage = aClusterer()
    const { state, events } = live(stage, inOrder([founder, follower]))
    stage.memory.evolve(state, { key: `shared:${founder.article_id}`, value: null })
    const changed = madeUpReport({ event: 1, outlet: 9, day: 9 })
    const back = aReport({ ...changed, article_id: founder.article_id, event_id: 'evt_back' })

    expect(live(stage, inOrder([back], 2), { state }).events).toMatchObject([
      { action: 'revised', cluster_id: events[0]?.cluster_id },
    ])
  })
})

describe('an article that was evicted', () => {
  const first = madeUpReport({ event: 0, outlet: 0, day: 0 })
  const second = madeUpReport({ event: 0, outlet: 1, day: 0 })
  const others = Array.from({ length: 12 }, (_, i) => madeUpReport({ event: 1 + (i % 6), outlet: i, day: 3 }))
  const stage = aClusterer(6)
  const inputs = inOrder([first, second, ...others])
  const revised = (text: string, i: number): ArticleAnalyzed =>
    aReport({ ...second, text, content_hash: contentHash(second.title, text), event_id: `evt_revised_${i}` })

  it('stays in its story when it is revised, evicts nothing and remembers its revisions', () => {
    const before = live(stage, inputs)
    const story = before.events[1]?.cluster_id
    const revision = revised(others[0]?.text ?? '', 1) // now like the articles of another story

    const after = live(stage, inOrder([revision, revised(`${second.text} Again.`, 2), revision], 20), before)

    expect(before.state.namespaces.get('shared')?.members.has(second.article_id)).toBe(false)
    expect(after.outcomes.map(({ kind }) => kind)).toEqual(['emit', 'emit', 'skip'])
    expect(after.events.map(({ action, cluster_id }) => [action, cluster_id])).toEqual([
      ['revised', story],
      ['revised', story],
    ])
    expect(after.entries).toEqual([])
  })

  it('is skipped when nothing has changed', () => {
    const before = live(stage, inputs)

    expect(live(stage, inOrder([second], 20), before).outcomes).toMatchObject([
      { kind: 'skip', reason: 'already_seen' },
    ])
  })

  it('finds the story that a curator moved it to, and is not moved from where it is not', () => {
    const before = live(stage, inputs)
    const from = before.events[1]?.cluster_id ?? ''
    const to = before.events.at(-1)?.cluster_id ?? ''
    const move = { action: 'move', cluster_id: from, other_cluster_id: to, article_ids: [second.article_id] } as const

    const after = live(
      stage,
      [aCorrection(move, 1), ...inOrder([revised('Changed.', 1)], 20), aCorrection(move, 2)],
      before,
    )

    expect(after.events.map(({ action, cluster_id }) => [action, cluster_id])).toEqual([
      ['corrected', to],
      ['revised', to],
      ['corrected', from],
    ])
    expect(after.events.map(({ change }) => change?.correction?.refused)).toEqual([null, undefined, 'article_moved'])
  })

  it('returns to its story when the correction is undone', () => {
    const before = live(stage, inputs)
    const from = before.events[1]?.cluster_id ?? ''
    const to = before.events.at(-1)?.cluster_id ?? ''
    const article_ids = [second.article_id]
    const move = aCorrection({ action: 'move', cluster_id: from, other_cluster_id: to, article_ids }, 1)
    const undo = aCorrection({ action: 'undo', cluster_id: to, other_cluster_id: from, article_ids }, 2)

    const after = live(stage, [move, undo, ...inOrder([revised('Changed.', 1)], 20)], before)

    expect(after.events.at(-1)).toMatchObject({ action: 'revised', cluster_id: from })
  })

  it('was always in memory or in the table, whatever the order of arrival', () => {
    fc.assert(
      fc.property(someNews, fc.constantFrom(3, 7, 20), (news, budget) => {
        const { state, rows, events } = live(aClusterer(budget), inOrder(reports(news)))
        const members = state.namespaces.get('shared')?.members
        for (const [articleId, story] of storiesOf(events)) {
          const now = members?.get(articleId)?.clusterId ?? rows.get(`shared:${articleId}`)?.cluster_id
          expect(now).toBe(story)
        }
      }),
      { numRuns: 40 },
    )
  })
})

const real = ({ title, url, text, published_date }: RealArticle): ArticleAnalyzed => {
  const published = Date.parse(published_date)
  const article_id = articleId('shared', url, text)
  const ids = { event_id: `evt_${article_id}_${published}`, article_id, content_hash: contentHash(title, text) }
  return aReport({ ...ids, title, url, text, occurred_at: published, published_date: published })
}

it('with 150 real articles a restart changes nothing', async () => {
  const articles = realArticles().slice(0, 150).map(real)

  const { whole, again } = await bothWays(articles, { cut: 90, budget: 100 })

  expect(whole.events.filter(({ change }) => change === null)).toHaveLength(150)
  expect(again.events).toEqual(whole.events)
})
