import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  at,
  aTeller,
  contentOf,
  detection,
  live,
  matched,
  moving,
  placed,
  reception,
  scored,
  transition,
  type ChangedIn,
} from '../../../test/builders/changed.ts'
import type { ChangedUpdate } from './changelog.ts'
import { evolve, emptyState } from './memory.ts'

describe('memory', () => {
  it('keeps to its budget: the first to have arrived leave, and with a story’s last article what was told of it', () => {
    const { state, changelog } = live(
      [placed('a', '1'), reception('a', 1), placed('b', '2'), scored('3'), placed('b', '4')],
      { budget: 2 },
    )

    expect(state().size).toBe(2)
    expect([...(state().namespaces.get('shared')?.articles.inOrder().keys() ?? [])]).toEqual(['art_3', 'art_4'])
    expect(changelog.filter(({ value }) => value === null).map(({ key }) => key)).toEqual([
      'shared:article:art_1',
      'shared:story:sto_a',
      'shared:article:art_2',
    ])
  })

  it('keeps what was told of a story that gets an article as its others leave', () => {
    const { state } = live([placed('a', '1'), reception('a', 1), placed('a', '2')], { budget: 1 })

    expect(state().namespaces.get('shared')?.stories.get('sto_a')?.known?.enriched_at).toEqual({ reddit: at(1) })
  })

  it('a busy namespace never pushes out a quiet one', () => {
    const busy = Array.from({ length: 10 }, (_, i) => scored(`${i}`))
    const quiet = scored('quiet', 'first', { namespace: 'private' })

    const { state, heard } = live([quiet, ...busy, { ...quiet, event_id: 'evt_again' }], { budget: 4 })

    expect(heard.at(-1)).toBe('known')
    expect([...state().namespaces].map(([name, { articles }]) => [name, articles.size])).toEqual([
      ['private', 1],
      ['shared', 3],
    ])
  })

  it('forgets what was told of a story that ends', () => {
    const events = [placed('a', '1'), reception('a', 1), placed('b', '2')]

    for (const end of [moving('merged', ['a', 'b'], ['1']), placed('b', '1')]) {
      expect([
        ...(live([...events, end])
          .state()
          .namespaces.get('shared')
          ?.stories.keys() ?? []),
      ]).toEqual(['sto_b'])
    }
  })

  it('is the same restored from the newest entry of each key, in any order', () => {
    fc.assert(
      fc.property(histories, budgets, fc.nat(), (events, budget, seed) => {
        const { state, changelog } = live(events, { budget })
        const newest = new Map(changelog.map((entry) => [entry.key, entry]))

        let restored = emptyState()
        for (const key of shuffled([...newest.keys()], seed))
          restored = evolve(restored, newest.get(key) ?? { key, value: null })

        expect(contentOf(restored)).toEqual(contentOf(state()))
      }),
    )
  })

  it('tells after a restart what it would have told without one', () => {
    fc.assert(
      fc.property(histories, histories, budgets, fc.nat(), (before, after, budget, seed) => {
        const stayed = live(before, { budget })
        const restarted = aTeller({ budget })
        for (const event of before) restarted.hear(event)
        restarted.restart((keys) => shuffled(keys, seed))

        expect(after.map((event) => restarted.hear(event))).toEqual(after.map((event) => stayed.hear(event)))
      }),
    )
  })

  it('reads entries without sources, names and titles: they come with the articles', () => {
    const { changelog } = live([placed('a', '1', { names: 'ada' }), placed('a', '2', { names: 'bo' })])
    const older = changelog.flatMap(({ key, value }): ChangedUpdate[] =>
      value?.article == null ? [] : [{ key, value: { ...value, article: { ...value.article, ...OLDER } } }],
    )
    const teller = aTeller()
    teller.restore(older)

    const heard = [
      detection('trend.detected', 'sto_a'),
      placed('a', '3', { names: 'cy', title: 'Third' }),
      moving('settled', ['a', 'a'], ['1']),
      placed('a', '1', { action: 'revised', names: 'ada' }),
      placed('a', '2', { action: 'revised', names: 'bo' }),
      detection('trend.detected', 'sto_a', { event_id: 'evt_2' }),
    ].map((event) => teller.hear(event))

    expect(
      heard.map((one) => (typeof one === 'string' ? one : [one.origin_count, one.entity_names, one.title])),
    ).toEqual([
      [null, [], null],
      [null, ['cy'], 'Third'],
      [null, ['cy'], 'Third'],
      'revised',
      'revised',
      [3, ['ada', 'bo', 'cy'], 'Title 2'],
    ])
  })

  it('counts every article once, and no story or entity is left without one', () => {
    fc.assert(
      fc.property(histories, budgets, (events, budget) => {
        const state = live(events, { budget }).state()

        const held = [...state.namespaces.values()]
        const stories = held.flatMap((one) => [...one.stories.values()])
        expect(held.reduce((sum, { articles }) => sum + articles.size, 0)).toBe(state.size)
        expect(state.size).toBeLessThanOrEqual(budget)
        expect(stories.filter(({ articles }) => articles.size === 0)).toEqual([])
        expect(held.flatMap((one) => [...one.entities.values()]).filter(({ articles }) => articles < 1)).toEqual([])
      }),
    )
  })
})

describe('whatever is read again', () => {
  it('has the ids it had: what memory does not know any more is told as before', () => {
    fc.assert(
      fc.property(histories, budgets, (events, budget) => {
        const first = live(events, { budget })
        const again = live(events, { budget })
        const all = live(events)

        expect(again.heard).toEqual(first.heard)
        const ids = (events: typeof all.changes) => new Set(events.map(({ event_id }) => event_id))
        const articles = (events: typeof all.changes) => events.filter(({ type }) => type.startsWith('article.'))
        expect(ids(articles(first.changes))).toEqual(ids(articles(all.changes)))
      }),
    )
  })

  it('tells a story’s changes under one id each', () => {
    const events = [
      placed('a', '1'),
      moving('split', ['a', 'b'], ['1']),
      reception('a', 1),
      detection('trend.detected', 'sto_a'),
    ]

    const { changes: received } = live([...events, ...events])

    expect(received).toHaveLength(8)
    expect(new Set(received.map(({ event_id }) => event_id)).size).toBe(4)
  })
})

/** What entries had not yet. */
const OLDER = { entity_names: [], member: null }

const shuffled = (keys: readonly string[], seed: number): readonly string[] =>
  keys
    .map((key, i) => ({ key, by: (i * 7_919 + seed) % 101 }))
    .sort((a, b) => a.by - b.by)
    .map(({ key }) => key)

const story = fc.constantFrom('a', 'b', 'c')
const id = fc.integer({ min: 0, max: 15 }).map(String)
const hours = fc.integer({ min: 0, max: 20 })
const namespace = fc.constantFrom('shared', 'private')
const names = fc.subarray(['ada', 'bo', 'cy', 'dee']).map((some) => some.join(' '))
const texts = {
  text: fc.constantFrom('x', 'y', 'z'),
  family: fc.constantFrom(null, 'f', 'g'),
  quotes: id,
  title: fc.constantFrom(null, 'Rain', '\u{1f327}'.repeat(151)),
}
const state = fc.constantFrom('breaking', 'developing', 'mature', 'concluded', 'contested')
const anyEvent: fc.Arbitrary<ChangedIn> = fc.oneof(
  { weight: 2, arbitrary: fc.tuple(id, fc.constantFrom('x', 'y'), namespace).map(aScored) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        story,
        id,
        fc.record({ names, namespace, ...texts, action: fc.constantFrom('opened', 'joined', 'revised') }),
      )
      .map(([of, which, over]) => placed(of, which, over)),
  },
  fc.tuple(story, fc.tuple(state, state), hours).map(([of, states, when]) => transition(of, states, when)),
  fc.tuple(story, hours).map(([of, when]) => reception(of, when)),
  story.map((of) => detection('trend.detected', `sto_${of}`)),
  story.map((of) => matched(of)),
  fc
    .tuple(
      fc.constantFrom('merged', 'split', 'moved', 'corrected', 'rebuilt'),
      fc.tuple(story, story),
      fc.uniqueArray(id, { maxLength: 4 }),
      fc.constantFrom(null, { action: 'move' }, { action: 'merge', refused: 'same_story' }),
    )
    .map((change) => moving(...change)),
)
const histories = fc.array(anyEvent, { maxLength: 60 })
const budgets = fc.integer({ min: 3, max: 30 })

function aScored([which, text, of]: readonly [string, string, string]) {
  return scored(which, text, { namespace: of, event_id: `evt_${of}_${which}_${text}` })
}
