import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aChange } from '../../../test/builders/transitioned.ts'
import { anArticle, contentOf, evenly, live, emittedOf } from '../../../test/builders/detected.ts'
import type { ArticleClustered } from '../../events/ledger.ts'
import { evolve, mentionsOf, emptyState, sentimentOf } from './memory.ts'

const WEEK = 168
const steady = evenly('steady', { from: 0, until: WEEK, count: 140 })
const step = evenly('step', { from: WEEK, until: WEEK + 24, count: 100 })

describe('memory', () => {
  it('keeps what an article says of an entity in small numbers', () => {
    const names = {
      ada: { mentions: 3, sentiment: -0.35 },
      bo: { mentions: 70_000, sentiment: null },
      cy: { sentiment: 1 },
    }

    const { state } = live([anArticle('1', 0, { names })])

    const article = state.namespaces.get('shared')?.articles.get('art_1')
    if (article === undefined) throw new Error('the article is not remembered')
    const said = article.entities.map((entity) => [
      entity.id,
      mentionsOf(article, entity),
      sentimentOf(article, entity),
    ])
    expect(said).toEqual([
      ['ent_ada', 3, -0.35],
      ['ent_bo', 70_000, null],
      ['ent_cy', 1, 1],
    ])
  })

  it('keeps to its budget, the first to arrive leave; the days they were of are no history', () => {
    const { state, emitted, changelog } = live([...steady, ...step], { budget: 25 })

    const held = state.namespaces.get('shared')
    expect(state.size).toBe(25)
    expect([...(held?.articles.inOrder().keys() ?? [])][0]).toBe('art_step_168_75')
    expect([...(held?.days.lost ?? [])]).toHaveLength(8)
    expect(emitted).toEqual([])
    expect(changelog.filter(({ value }) => (value?.lost_day ?? null) !== null).map(({ key }) => key)).toEqual(
      ['03', '04', '05', '06', '07', '08', '09', '10'].map((day) => `shared:lost:2016-05-${day}`),
    )
  })

  it('that lost a day looks at the others alone: fewer alarms, no false ones', () => {
    const { emitted } = live([...steady, ...step], { budget: 200 })

    expect(emittedOf(emitted, 'entity.spike')).toHaveLength(1)
    expect(emitted[0]?.baseline).toBeCloseTo(2.5, 1)
    const late = evenly('late', { from: 24.5, until: 30, count: 2 })
    expect(
      live([...steady, ...late, ...evenly('usual', { from: WEEK, until: WEEK + 240, count: 200 })], { budget: 60 })
        .emitted,
    ).toEqual([])
  })

  it('is shared by namespaces: a busy one never pushes out a quiet one', () => {
    const quiet = anArticle('quiet', 0, { namespace: 'private' })

    const { state } = live([quiet, ...steady], { budget: 50 })

    expect([...state.namespaces].map(([name, { articles }]) => [name, articles.size])).toEqual([
      ['private', 1],
      ['shared', 49],
    ])
  })

  it('forgets what was told of an entity with its last article', () => {
    const others = evenly('others', { from: WEEK + 24, until: WEEK + 48, count: 120 }, () => ({ names: { bo: {} } }))

    const { state, emitted, changelog } = live([...steady, ...step, ...others], { budget: 220 })
    const after = live(
      [...others, ...evenly('more', { from: 300, until: 324, count: 220 }, () => ({ names: { bo: {} } }))],
      {
        budget: 220,
        from: { state, offset: 1_000 },
      },
    )

    expect(emittedOf(emitted, 'entity.spike')).toHaveLength(1)
    expect(changelog.some(({ key }) => key === 'shared:told:entity.spike:ent_ada')).toBe(true)
    expect(after.changelog).toContainEqual({ key: 'shared:told:entity.spike:ent_ada', value: null })
    expect(after.state.namespaces.get('shared')?.entities.has('ent_ada')).toBe(false)
  })

  it('is the same restored from the newest entry of each key, in any order', () => {
    fc.assert(
      fc.property(
        fc.array(anyEvent, { maxLength: 80 }),
        fc.integer({ min: 5, max: 60 }),
        fc.nat(),
        (events, budget, seed) => {
          const { state, changelog } = live(events, { budget })
          const newest = [...new Map(changelog.map((entry) => [entry.key, entry])).values()]
          const shuffled = newest
            .map((entry, i) => ({ entry, by: (i * 7_919 + seed) % 101 }))
            .sort((a, b) => a.by - b.by)

          let restored = emptyState()
          for (const { entry } of shuffled) restored = evolve(restored, entry)

          expect(contentOf(restored)).toEqual(contentOf(state))
        },
      ),
    )
  })

  it('decides the same restored as lived', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 239 }), fc.integer({ min: 150, max: 300 }), (cut, budget) => {
        const events = [...steady, ...step]
        const before = live(events.slice(0, cut), { budget })
        let restored = emptyState()
        for (const entry of new Map(before.changelog.map((one) => [one.key, one])).values())
          restored = evolve(restored, entry)

        const rest = (state: typeof restored) =>
          live(events.slice(cut), { budget, from: { state, offset: cut } }).emitted

        expect(rest(restored)).toEqual(rest(before.state))
      }),
      { numRuns: 20 },
    )
  })

  it('counts every article once, and keeps no entity and no story without one', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 80 }), fc.integer({ min: 5, max: 60 }), (events, budget) => {
        const { state } = live(events, { budget })
        for (const held of state.namespaces.values()) {
          const stories = [...held.stories.values()]
          expect(stories.reduce((sum, { articles }) => sum + articles.length, 0)).toBe(held.articles.size)
          expect([...stories, ...held.entities.values()].filter(({ articles }) => articles.length === 0)).toEqual([])
          expect([...held.days.articles.values()].reduce((sum, one) => sum + one, 0)).toBe(held.articles.size)
        }
        expect(state.size).toBe([...state.namespaces.values()].reduce((sum, { articles }) => sum + articles.size, 0))
        expect(state.size).toBeLessThanOrEqual(budget)
      }),
    )
  })
})

const story = fc.constantFrom('a', 'b', 'c')
const id = fc.integer({ min: 0, max: 25 }).map(String)
const hours = fc.integer({ min: 0, max: 200 })
const names = fc
  .uniqueArray(fc.constantFrom('ada', 'bo', 'cy'))
  .map((some) => Object.fromEntries(some.map((name, i) => [name, { mentions: i + 1, sentiment: i / 2 }])))
const anyEvent: fc.Arbitrary<ArticleClustered> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(id, hours, story, names, fc.constantFrom('shared', 'private'))
      .map(([which, when, of, who, namespace]) => anArticle(which, when, { story: of, names: who, namespace })),
  },
  fc
    .tuple(fc.constantFrom('merged', 'split', 'moved', 'corrected'), story, story, fc.uniqueArray(id, { maxLength: 6 }))
    .map(([action, from, to, articles]) => aChange(action, [from, to], articles)),
)
