import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aPost, aStoryArticle } from '../../../test/builders/discourse.ts'
import { aStory, aTick, contentOf, fold, live, type EnrichedIn } from '../../../test/builders/enriched.ts'
import { holds } from '../../../test/builders/sizes.ts'
import { aChange } from '../../../test/builders/transitioned.ts'
import type { StoryEnriched } from '../../events/discourse.ts'
import { emptyState } from './discourse.ts'
import { moments } from './records.ts'

const START = Date.UTC(2016, 4, 3, 15)
const MINUTE = 60_000
/** A post this many minutes after the first. */
const post = (id: number, over: Parameters<typeof aPost>[0] = {}) =>
  aPost({ post_id: `p${id}`, text: `Remark ${id} on it.`, created_at: START + id * MINUTE, ...over })
const posts = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => post(from + i))
const deletion = (id: number) => post(id, { deleted: true, event_id: `evt_gone_${id}` })

/** The record valid at a point in time: the last written of those not after it. */
const asOf = (emitted: readonly StoryEnriched[], minute: number): number | undefined =>
  emitted.findLast(({ occurred_at }) => occurred_at <= START + minute * MINUTE)?.comment_count_analyzed

describe('a record', () => {
  it('of a few posts is told with each, of many when an eighth has changed, else with the next tick', async () => {
    const small = await live([aStoryArticle(), ...posts(0, 8)])
    const large = await live([aStoryArticle(), ...posts(0, 64), ...posts(64, 70)])
    const ticked = await live([aStoryArticle(), ...posts(0, 64), ...posts(64, 70), aTick()])

    expect(small.outcomes.slice(1).map(({ kind }) => kind)).toEqual(Array.from({ length: 8 }, () => 'emit'))
    expect(large.outcomes.slice(-3).map(({ kind }) => kind)).toContain('skip')
    expect(large.outcomes.filter(({ kind }) => kind === 'emit').length).toBeLessThan(32)
    expect(ticked.last?.comment_count_analyzed).toBe(70)
  })

  it('of many that gets a post by a merge is told with the merge', async () => {
    const both = [aStoryArticle(), aStory('b', 'b'), ...posts(0, 64), post(64, { cluster_id: 'sto_b' })]

    const { emitted } = await live([...both, aChange('merged', ['b', 'bridge'], ['b'])])

    expect(emitted.findLast(({ cluster_id }) => cluster_id === 'sto_bridge')?.comment_count_analyzed).toBe(65)
  })

  it('is not told with a tick when nothing has changed', async () => {
    const { outcomes } = await live([aStoryArticle(), ...posts(0, 40), aTick(1), aTick(2)])

    expect(outcomes.at(-1)).toMatchObject({ kind: 'skip', reason: 'nothing_waits' })
  })

  it('that waits is told after a restart too', async () => {
    const { changelog, state } = await live([aStoryArticle(), ...posts(0, 71)])
    const newest = [...new Map(changelog.map((entry) => [entry.key, entry])).values()]

    const restored = newest.reverse().reduce(fold, emptyState())

    expect(contentOf(restored)).toEqual(contentOf(state))
    expect([...(restored.namespaces.get('shared')?.pending ?? [])]).toEqual(['shared:telling:reddit:sto_bridge'])
  })

  it('waits for another tick where too many wait, not when no more is to come', async () => {
    const stories = Array.from({ length: 262 }, (_, story) => [
      aStory(`${story}`, `${story}`),
      ...posts(0, 9).map((one) => ({ ...one, post_id: `${story} ${one.post_id}`, cluster_id: `sto_${story}` })),
    ])
    const some = stories.flat().map((one, i) => ({ ...one, event_id: `evt_${i}` }))

    const { outcomes, state } = await live([...some, aTick(1, { flush: false }), aTick(2)], { budget: 3_000 })

    const records = outcomes.slice(-2).map((outcome) => (outcome.kind === 'emit' ? outcome.events.length : 0))
    expect(records).toEqual([256, 6])
    expect(state.namespaces.get('shared')?.pending.size).toBe(0)
  }, 60_000) // it decides 2,600 posts

  it('says at each moment what had been said by then', async () => {
    const { emitted } = await live([aStoryArticle(), post(0), post(10), post(20)])

    expect([-1, 0, 9, 10, 25].map((minute) => asOf(emitted, minute))).toEqual([undefined, 1, 1, 2, 3])
  })

  it('is corrected for the past when a post comes late, is deleted or gets another time', async () => {
    const three = [aStoryArticle(), post(0), post(10), post(20)]
    const late = await live([...three, post(5)])
    const deleted = await live([...three, deletion(0)])
    const redated = await live([...three, post(10, { created_at: START + 30 * MINUTE, event_id: 'evt_redated' })])

    expect([0, 5, 10, 20].map((minute) => asOf(late.emitted, minute))).toEqual([1, 2, 3, 4])
    expect([0, 10, 20].map((minute) => asOf(deleted.emitted, minute))).toEqual([0, 1, 2])
    expect([0, 10, 20, 30].map((minute) => asOf(redated.emitted, minute))).toEqual([1, 1, 2, 3])
  })

  it('holds only what newspapers had written by then, and what they began with before', async () => {
    const later = aStoryArticle({
      article_id: 'art_2',
      occurred_at: START + 15 * MINUTE,
      member: {
        ...aStoryArticle().member,
        url: null,
        entities: [
          {
            ...{ entity_id: 'ent_reed', name: 'Tom Reed', type: 'PERSON' as const },
            mention_count: 1,
            country: null,
            sentiment_score: null,
          },
        ],
      },
    })
    const { emitted } = await live([aStoryArticle(), later, post(0, { text: 'only Tom Reed knows.' }), post(20)])

    expect(emitted.findLast(({ occurred_at }) => occurred_at === START)).toMatchObject({ novel_entities: ['Tom Reed'] })
    expect(emitted.at(-1)).toMatchObject({ novel_entities: [], editorial_entities: ['Ada Quill', 'Tom Reed'] })
  })

  it('at a moment is what it would be had nothing been said after it, in whatever order it all came', async () => {
    const said: readonly EnrichedIn[] = Array.from({ length: 12 }, (_, i) =>
      post(i * 10, { text: i % 3 === 0 ? 'A lie, Tom Reed.' : `True, remark ${i}.` }),
    )
    await holds(
      fc.asyncProperty(fc.shuffledSubarray([...said], { minLength: 12 }), fc.nat(11), async (mixed, until) => {
        const moment = START + until * 10 * MINUTE
        const all = await live([aStoryArticle(), ...mixed, aTick()])
        const some = await live([aStoryArticle(), ...said.slice(0, until + 1), aTick()])

        const [held, alone] = [all, some].map(({ emitted }) =>
          emitted.findLast(({ occurred_at }) => occurred_at <= moment),
        )
        const left = { event_id: '', caused_by: null, fetched_at: 0, dominant_themes: [] }
        expect({ ...held, ...left }).toEqual({ ...alone, ...left })
      }),
      { most: 30, least: 10, cpuSeconds: 1 },
    )
  })
})

describe('moments', () => {
  it('are at most 24: the first, the last, and evenly between', () => {
    const times = Array.from({ length: 100 }, (_, i) => i)

    const all = moments(times, 10)

    expect([all.length, all[0], all.at(-1)]).toEqual([24, 10, 99])
    expect(Math.max(...all.slice(1).map((time, i) => time - (all[i] ?? 0)))).toBeLessThanOrEqual(4)
    expect(moments([5, 3, 3], 4)).toEqual([4, 5])
    expect(moments([], 7)).toEqual([7])
  })
})
