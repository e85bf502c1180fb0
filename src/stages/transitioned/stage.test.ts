import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  aChange,
  anArticle,
  aReception,
  at,
  aTick,
  contentOf,
  live,
  moves,
  type TransitionedIn,
} from '../../../test/builders/transitioned.ts'
import { anInput } from '../../../test/builders/articles.ts'
import type { StoryTransitioned } from '../../events/lifecycle.ts'
import { LIFECYCLE } from '../../domain/lifecycle/lifecycle.ts'
import { evolve, emptyState } from './memory.ts'

const three = [anArticle('a', '1', 0), anArticle('a', '2', 0.5), anArticle('a', '3', 1)]
const hourly = (hours: number) => Array.from({ length: hours }, (_, i) => aTick(i + 1))

describe('a story goes from state to state as the clock ticks', () => {
  it('once each', () => {
    const { emitted } = live([...three, ...hourly(100)])

    expect(moves(emitted)).toEqual([
      ['a', 'breaking', 1],
      ['a', 'developing', 2],
      ['a', 'mature', 25],
      ['a', 'concluded', 73],
    ])
  })

  it('and each move says where from, why and by which record', () => {
    const { emitted } = live([...three, aTick(1), aTick(3)])

    expect(emitted.at(-1)).toMatchObject({
      namespace: 'shared',
      occurred_at: at(3),
      evaluated_at: at(3),
      caused_by: { topic: 'clock.ticked', partition: 0, offset: 1 },
      produced_by: { stage: 'transitioned' },
      cluster_id: 'sto_a',
      lifecycle_state: 'developing',
      previous_state: 'breaking',
      rule: 'developing',
      facts: { last_article_age_hours: 2, articles_24h: 3, peak_day_articles: 3 },
    })
    expect(new Set(emitted.map(({ event_id }) => event_id)).size).toBe(2)
  })

  it('by independent origins: re-prints and outlets of one family break no story', () => {
    const reprints = ['1', '2', '3'].map((id) => anArticle('a', id, 0, { group: 'syn_wire' }))
    const family = ['4', '5', '6'].map((id) => anArticle('b', id, 0, { family: 'gannett' }))
    const quoted = [anArticle('c', '7', 0), ...['8', '9'].map((id) => anArticle('c', id, 0, { derived_from: 'art_7' }))]
    const wire = ['x', 'y', 'z'].map((id, i) => anArticle('d', id, 0, { group: `syn_${i}`, family: `family ${i}` }))

    const { emitted } = live([...reprints, ...family, ...quoted, ...wire, aTick(1)])

    expect(moves(emitted)).toEqual([
      ['a', 'developing', 1],
      ['b', 'developing', 1],
      ['c', 'developing', 1],
      ['d', 'breaking', 1],
    ])
  })

  it('straight to concluded where its news is old, and is then left alone until there is more', () => {
    const { emitted, state } = live([...three, aTick(1_000), aTick(1_001)])
    const news = live([...three, aTick(1_000), anArticle('a', '4', 1_000.5), aTick(1_001)])

    expect(moves(emitted)).toEqual([['a', 'concluded', 1_000]])
    expect(state.namespaces.get('shared')?.awake.size).toBe(0)
    expect(moves(news.emitted)).toEqual([
      ['a', 'concluded', 1_000],
      ['a', 'developing', 1_001],
    ])
  })

  it('not before its first article, and not for a moment it was already evaluated for', () => {
    expect(live([...three, aTick(-1)]).emitted).toEqual([])
    expect(moves(live([...three, aTick(80), anArticle('a', '4', 79), aTick(80), aTick(70)]).emitted)).toEqual([
      ['a', 'concluded', 80],
    ])
  })

  it('some thousand at a tick, the others at the next', () => {
    const many = Array.from({ length: 5 }, (_, i) => anArticle(`s${i}`, `${i}`, 0))

    const { emitted } = live([...many, aTick(100), aTick(101), aTick(102), aTick(103)], { atOnce: 2 })

    expect(moves(emitted).map(([story, , hours]) => [story, hours])).toEqual([
      ['s0', 100],
      ['s1', 100],
      ['s2', 101],
      ['s3', 101],
      ['s4', 102],
    ])
  })
})

describe('the public contests a story that newspapers are done with', () => {
  it('until it cools down', () => {
    const { emitted } = live([
      ...three,
      aReception('a', 70),
      aTick(80),
      aReception('a', 81, { controversy_score: 0.5, event_id: 'evt_2' }),
      aTick(82),
      aReception('a', 83, { controversy_score: 0.49, event_id: 'evt_3' }),
      aTick(84),
    ])

    expect(moves(emitted)).toEqual([
      ['a', 'contested', 80],
      ['a', 'concluded', 84],
    ])
  })

  it('until nobody has written of it for 48 hours, or it is news again', () => {
    expect(moves(live([...three, aReception('a', 70), aTick(100), aTick(118), aTick(119)]).emitted)).toEqual([
      ['a', 'contested', 100],
      ['a', 'concluded', 119],
    ])
    expect(
      moves(live([...three, aReception('a', 70), aTick(100), anArticle('a', '9', 100.5), aTick(101)]).emitted),
    ).toEqual([
      ['a', 'contested', 100],
      ['a', 'developing', 101],
    ])
  })

  it('never on twitter, and not of a story nobody knows', () => {
    const { emitted, reasons } = live([
      ...three,
      aReception('a', 70, { platform: 'twitter' }),
      aReception('unknown', 70),
      aTick(80),
    ])

    expect(moves(emitted)).toEqual([['a', 'concluded', 80]])
    expect(reasons.slice(3)).toEqual(['platform_does_not_count', 'unknown_story'])
  })

  it('no longer when its posts are gone', () => {
    const gone = aReception('a', 0, { sample: { posts: 0, authors: 0, window_start: 0, window_end: 0 } })

    expect(moves(live([...three, aReception('a', 70), aTick(80), gone, aTick(81)]).emitted)).toEqual([
      ['a', 'contested', 80],
      ['a', 'concluded', 81],
    ])
  })
})

describe('stories that change', () => {
  it('one that merged has no state of its own any more; the other one has all articles', () => {
    const { emitted, state } = live([
      anArticle('a', '1', 0),
      anArticle('b', '2', 0),
      anArticle('b', '3', 0),
      aTick(1),
      aChange('merged', ['b', 'a'], ['2', '3']),
      aTick(1.5),
      aTick(100),
    ])

    expect(moves(emitted)).toEqual([
      ['a', 'developing', 1],
      ['b', 'developing', 1],
      ['a', 'breaking', 1.5],
      ['a', 'concluded', 100],
    ])
    expect([...(state.namespaces.get('shared')?.stories.keys() ?? [])]).toEqual(['sto_a'])
  })

  it('one that was split off begins, and both are evaluated by what they have', () => {
    const { emitted } = live([
      ...three,
      aTick(1),
      aChange('split', ['a', 'c'], ['2', '3', 'unknown']),
      aTick(1.5),
      aChange('moved', ['c', 'a'], ['2']),
      aTick(2.1),
    ])

    expect(moves(emitted)).toEqual([
      ['a', 'breaking', 1],
      ['a', 'developing', 1.5],
      ['c', 'developing', 1.5],
    ])
  })

  it('a curator’s word is done, unless it was refused', () => {
    const word = { correction_id: 'cor_1', action: 'move', reason: null, key_id: 'k', refused: null }
    const done = [...three, aChange('corrected', ['a', 'd'], ['3'], word), aTick(1)]
    const refused = [...three, aChange('corrected', ['a', 'd'], ['3'], { ...word, refused: 'no' }), aTick(1)]

    expect(moves(live(done).emitted)).toEqual([
      ['a', 'developing', 1],
      ['d', 'developing', 1],
    ])
    expect(moves(live(refused).emitted)).toEqual([['a', 'breaking', 1]])
  })

  it('an article that is placed anew leaves its story, which ends with its last', () => {
    const { state, emitted } = live([anArticle('a', '1', 0), aTick(1), anArticle('b', '1', 0), aTick(2)])

    expect(moves(emitted)).toEqual([
      ['a', 'developing', 1],
      ['b', 'developing', 2],
    ])
    expect([...(state.namespaces.get('shared')?.stories.keys() ?? [])]).toEqual(['sto_b'])
  })
})

describe('what the API persisted', () => {
  const analysed = (hours: number, over: Partial<StoryTransitioned> = {}): StoryTransitioned => ({
    event_id: `evt_api_${hours}`,
    namespace: 'shared',
    occurred_at: at(hours),
    caused_by: null,
    produced_by: { stage: 'api', version: '1' },
    cluster_id: 'sto_a',
    lifecycle_state: 'concluded',
    previous_state: null,
    rule: 'concluded',
    facts: {},
    evaluated_at: at(hours),
    ...over,
  })

  it('is where the next move comes from', () => {
    const { emitted } = live([...three, analysed(80), aTick(81), anArticle('a', '4', 81.5), aTick(82)])

    expect(emitted).toMatchObject([{ lifecycle_state: 'developing', previous_state: 'concluded' }])
  })

  it('of a moment before the last one changes nothing now', () => {
    const { reasons, state } = live([...three, aTick(80), analysed(2, { lifecycle_state: 'developing' }), aTick(81)])

    expect(reasons.slice(3)).toEqual(['known', 'nothing_changed'])
    expect(state.namespaces.get('shared')?.stories.get('sto_a')?.known?.lifecycle_state).toBe('concluded')
  })

  it('and its own word, when it comes back, is nothing new', () => {
    const { emitted } = live([...three, aTick(80)])

    const { reasons, changelog } = live([...three, aTick(80), ...emitted, analysed(90, { cluster_id: 'sto_none' })])

    expect(reasons.slice(3)).toEqual(['own', 'unknown_story'])
    expect(changelog).toHaveLength(4)
  })
})

describe('memory', () => {
  it('keeps to its budget, the first to arrive leave; a story keeps what it lost', () => {
    const story = Array.from({ length: 8 }, (_, i) => anArticle('a', `${i}`, i / 100))
    const others = Array.from({ length: 4 }, (_, i) => anArticle(`b${i}`, `b${i}`, 30))

    const { state, emitted } = live([...story, ...others, anArticle('a', 'last', 30), aTick(30.5)], { budget: 6 })

    expect(state.size).toBe(6)
    expect(emitted.find(({ cluster_id }) => cluster_id === 'sto_a')).toMatchObject({
      lifecycle_state: 'mature',
      facts: { articles_24h: 1, peak_day_articles: 8 },
    })
  })

  it('forgets a story with its last article', () => {
    const { state, changelog } = live([anArticle('a', '1', 0), aTick(1), anArticle('b', '2', 1)], { budget: 1 })

    expect([...(state.namespaces.get('shared')?.stories.keys() ?? [])]).toEqual(['sto_b'])
    expect(changelog.filter(({ value }) => value === null).map(({ key }) => key)).toEqual([
      'shared:article:art_1',
      'shared:story:sto_a',
    ])
  })

  it('hands on what a merged story lost', () => {
    const { state } = live(
      [
        anArticle('a', '1', 0),
        anArticle('a', '2', 0),
        anArticle('b', '3', 1),
        aChange('merged', ['a', 'b'], ['1', '2']),
      ],
      { budget: 2 },
    )

    expect(state.namespaces.get('shared')?.stories.get('sto_b')?.known?.departed).toEqual({
      first_published: at(0),
      last_published: at(0),
      articles_by_day: { '2016-05-03': 1 },
    })
  })

  it('is the same restored from the newest entry of each key, in any order', () => {
    fc.assert(
      fc.property(
        fc.array(anyEvent, { maxLength: 60 }),
        fc.integer({ min: 3, max: 30 }),
        fc.nat(),
        (events, budget, seed) => {
          const { state, changelog } = live(events, { budget })
          const newest = new Map(changelog.map((entry) => [entry.key, entry]))
          const shuffled = [...newest.values()]
            .map((entry, i) => ({ entry, by: (i * 7_919 + seed) % 101 }))
            .sort((a, b) => a.by - b.by)

          let restored = emptyState()
          for (const { entry } of shuffled) restored = evolve(restored, entry, LIFECYCLE)

          expect(contentOf(restored)).toEqual(contentOf(state))
        },
      ),
    )
  })

  it('leaves no story without an article, and counts every article once', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), fc.integer({ min: 3, max: 30 }), (events, budget) => {
        const { state } = live(events, { budget })
        const stories = [...(state.namespaces.get('shared')?.stories.values() ?? [])]

        expect(stories.filter(({ articles }) => articles.size === 0)).toEqual([])
        expect(stories.reduce((sum, { articles }) => sum + articles.size, 0)).toBe(state.size)
        expect(state.size).toBeLessThanOrEqual(budget)
      }),
    )
  })

  it('gives a tick what evaluating every story would give', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), hours, (events, when) => {
        const { state, stage } = live(events)
        const tick = anInput<TransitionedIn>(aTick(when), { topic: 'clock.ticked', offset: 99 })

        const some = stage.decide(state, tick)
        for (const held of state.namespaces.values()) for (const each of held.stories.values()) held.awake.add(each)

        expect(stage.decide(state, tick)).toEqual(some)
      }),
    )
  })
})

const story = fc.constantFrom('a', 'b', 'c')
const id = fc.integer({ min: 0, max: 15 }).map(String)
const hours = fc.integer({ min: 0, max: 200 })
const anyEvent: fc.Arbitrary<TransitionedIn> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(story, id, hours).map(([of, which, when]) => anArticle(of, which, when)) },
  hours.map(aTick),
  fc.tuple(story, hours).map(([of, when]) => aReception(of, when)),
  fc
    .tuple(fc.constantFrom('merged', 'split', 'moved', 'corrected'), story, story, fc.uniqueArray(id, { maxLength: 4 }))
    .map(([action, from, to, articles]) => aChange(action, [from, to], articles)),
)
