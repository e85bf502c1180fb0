import { describe, expect, it, vi } from 'vitest'
import {
  aChange,
  aCorrection,
  aLinker,
  anArticle,
  at,
  folded,
  graphOf,
  live,
  words,
} from '../../../test/builders/linked.ts'
import type { StoryLinked } from '../../events/graph.ts'
import { derivedId, threadId } from '../../events/ids.ts'
import type { ArticleClustered } from '../../events/ledger.ts'

const QUINTET = 'p1 p2 o3 g4 l5'

/** Stories with unrelated subjects that share only names. */
const about = (story: string, names: string, hours = 0) =>
  anArticle(story, `${story}1`, { names, hours, subject: `subject of ${story}` })

const eventsOf = (heard: readonly StoryLinked[] | string) => (typeof heard === 'string' ? [] : heard)

const threadOf = (story: string) => threadId('shared', `sto_${story}`)

describe('a relationship', () => {
  it('is told when two stories come to share enough, with what they share', () => {
    const added = about('a', 'p1 p2 o3 g4 g9', 2)
    const { heard } = live([about('b', QUINTET), added])

    expect(heard[0]).toBe('nothing_changed')
    expect(eventsOf(heard[1] ?? '').filter(({ type }) => type === 'shared_entities')).toEqual([
      {
        event_id: derivedId({ stage: 'linked', version: '3' }, `${added.event_id}\nsto_a\nsto_b\nshared_entities`),
        namespace: 'shared',
        occurred_at: at(2),
        caused_by: { topic: 'articles.clustered', partition: 0, offset: 1 },
        produced_by: { stage: 'linked', version: '3' },
        kind: 'relationship',
        action: 'added',
        source: 'sto_a',
        target: 'sto_b',
        type: 'shared_entities',
        directed: false,
        confidence: 7 / 9,
        shared_entities: ['ent_g4', 'ent_o3', 'ent_p1', 'ent_p2'],
        thread_id: null,
        thread_title: null,
        built: null,
      },
    ])
  })

  it('changes when what they share does, and goes when it is too little', () => {
    const { heard } = live([
      about('a', QUINTET),
      about('b', QUINTET, 1),
      anArticle('b', 'b1', { names: 'p1 p2 o3 g4', hours: 2, subject: 'subject of b' }),
      anArticle('b', 'b1', { names: 'p1 p2', hours: 3, subject: 'subject of b' }),
    ])

    expect(heard.map(words)).toEqual([
      ['nothing_changed'],
      ['added evolved_into a b', 'added shared_entities a b'],
      ['changed evolved_into a b', 'changed shared_entities a b'],
      ['removed evolved_into a b', 'removed shared_entities a b'],
    ])
    expect(heard[2]?.at(-1)).toMatchObject({ confidence: 7 / 8, occurred_at: at(2) })
    expect(heard[3]?.at(-1)).toMatchObject({ confidence: 7 / 8, occurred_at: at(3) })
  })

  it('is not told again when nothing of it changes', () => {
    const article = about('b', QUINTET, 1)
    const { heard } = live([about('a', QUINTET), article, article, about('c', 'p7 p8 p9')])

    expect(heard.map(words).slice(2)).toEqual([['nothing_changed'], ['nothing_changed']])
  })

  it('counts neither dates nor sums', () => {
    const { reasons } = live([about('a', 'd1 d2 d3 p4'), about('b', 'd1 d2 d3 p5')])

    expect(reasons).toEqual(['nothing_changed', 'nothing_changed'])
  })

  it('leads from the earlier chapter to the later, the surer the shorter the silence between them', () => {
    const { heard } = live([
      anArticle('b', 'b1', { names: QUINTET }),
      anArticle('a', 'a1', { names: QUINTET, hours: 48 }),
      anArticle('b', 'b2', { names: QUINTET, hours: 50 }),
    ])

    expect(words(heard[1] ?? '')).toEqual(['added shared_entities a b', 'added evolved_into b a'])
    expect(words(heard[2] ?? '')).toEqual(['changed evolved_into b a', 'added merged_with a b'])
    const [before, after] = [heard[1]?.at(-1), heard[2]?.at(0)] as [StoryLinked, StoryLinked]
    expect(after.confidence).toBeGreaterThan(before.confidence)
  })

  it('of another namespace does not exist', () => {
    const other = anArticle('b', 'b1', { names: QUINTET, namespace: 'acme' })

    expect(live([about('a', QUINTET), other]).emitted).toEqual([])
  })
})

describe('what the ledger says', () => {
  const two = [about('a', 'p1'), anArticle('b', 'b1', { names: 'p2' }), anArticle('b', 'b2', { names: 'p3' })]

  it.each([
    ['a rebuild', aChange('merged', ['b', 'a'], ['b1', 'b2'], 5)],
    ['a curator', aCorrection('merge', ['b', 'a'], ['b1', 'b2'], { hours: 5 })],
  ])('is a merge by %s: the story without articles leads to the one that has them', (_, merged) => {
    const { heard } = live([...two, merged])

    expect(heard[3]).toMatchObject([
      { action: 'added', source: 'sto_b', target: 'sto_a', type: 'merged_with', directed: false, confidence: 1 },
    ])
  })

  it('is one word where what the two were already linked by becomes what the ledger says', () => {
    const same = (story: string, hours: number) => anArticle(story, `${story}1`, { names: QUINTET, hours })
    const { heard } = live([same('a', 0), same('b', 0), aChange('merged', ['a', 'b'], ['a1'], 1)])

    expect(words(heard[1] ?? '')).toEqual([
      'added evolved_into a b',
      'added merged_with a b',
      'added shared_entities a b',
    ])
    expect(words(heard[2] ?? '')).toEqual([
      'removed evolved_into a b',
      'removed shared_entities a b',
      'changed merged_with a b',
    ])
    expect(heard[2]?.at(-1)).toMatchObject({ confidence: 1, shared_entities: [] })
  })

  it('is no merge while articles are left, nor where the last of them were moved', () => {
    const { heard } = live([...two, aCorrection('merge', ['b', 'a'], ['b1']), aCorrection('move', ['b', 'a'], ['b2'])])

    expect(heard.slice(3).map(words)).toEqual([['nothing_changed'], ['nothing_changed']])
  })

  it('ends when the story has articles again', () => {
    const { heard } = live([
      ...two,
      aChange('merged', ['b', 'a'], ['b1', 'b2']),
      aCorrection('undo', ['a', 'b'], ['b1', 'b2']),
    ])

    expect(words(heard[4] ?? '')).toEqual(['removed merged_with b a'])
  })

  it.each([
    ['a rebuild', aChange('split', ['b', 'c'], ['b2'], 5)],
    ['a curator', aCorrection('split', ['b', 'c'], ['b2'], { hours: 5 })],
  ])('is a split by %s: the story that was opened leads to the one that was left', (_, split) => {
    const { heard } = live([...two, split])

    expect(heard[3]).toMatchObject([
      { action: 'added', source: 'sto_c', target: 'sto_b', type: 'split_from', directed: true, confidence: 1 },
    ])
  })

  it('is a split only as long as both have articles', () => {
    const { heard } = live([...two, aChange('split', ['b', 'c'], ['b2']), aChange('merged', ['b', 'a'], ['b1'])])

    expect(words(heard[4] ?? '')).toEqual(['removed split_from c b', 'added merged_with b a'])
  })

  it.each([
    ['a refusal', aCorrection('move', ['b', 'a'], ['b1'], { refused: 'article_moved' })],
    ['a word that moves nothing', aCorrection('keep_apart', ['b', 'a'], [])],
    ['a day that was looked at', aChange('rebuilt', ['', ''], [])],
    ['articles that nobody knows', aChange('merged', ['x', 'y'], ['x1'])],
  ])('changes nothing by %s', (_, line) => {
    const { heard, changelog } = live([...two, line])

    expect(heard[3]).toBe('nothing_moved')
    expect(changelog).toHaveLength(5)
  })
})

describe('a thread', () => {
  const three = [about('a', QUINTET), about('b', QUINTET, 1), about('c', QUINTET, 2)]

  it('is told of all its stories once there are enough, and is named after the first', () => {
    const { heard } = live(three)

    expect(words(heard[1] ?? '')).toEqual(['added evolved_into a b', 'added shared_entities a b'])
    expect(words(heard[2] ?? '')).toEqual([
      'added shared_entities a c',
      'added evolved_into b c',
      'added shared_entities b c',
      'added thread a',
      'added thread b',
      'added thread c',
    ])
    expect(heard[2]?.at(-1)).toMatchObject({
      kind: 'thread',
      source: 'sto_c',
      target: null,
      thread_id: threadOf('a'),
      thread_title: null,
      confidence: 1,
      directed: false,
      shared_entities: [],
      occurred_at: at(2),
    })
  })

  it('keeps its name while it grows, and when its first story goes into another one', () => {
    const { heard, emitted } = live([...three, about('d', QUINTET, 3), aChange('merged', ['a', 'd'], ['a1'], 4)])

    expect(words(heard[3] ?? '').filter((word) => word.includes('thread'))).toEqual(['added thread d'])
    expect(words(heard[4] ?? '').filter((word) => word.includes('thread'))).toEqual(['removed thread a'])
    expect(new Set(folded(emitted).threads.values())).toEqual(new Set([threadOf('a')]))
  })

  it('ends when too few are left', () => {
    const { heard } = live([...three, anArticle('c', 'c1', { names: 'p9', hours: 2, subject: 'subject of c' })])

    expect(words(heard[3] ?? '')).toEqual([
      'removed shared_entities a c',
      'removed evolved_into b c',
      'removed shared_entities b c',
      'removed thread a',
      'removed thread b',
      'removed thread c',
    ])
  })
})

describe("a curator's word holds at every moment", () => {
  const given = [
    about('a', QUINTET, 1),
    about('b', 'p7', 2),
    anArticle('c', 'c1', { names: QUINTET, hours: 3, subject: 'x' }),
  ]

  it('so what it brings holds from the later of the two first articles', () => {
    const { heard } = live([...given, aCorrection('move', ['c', 'b'], ['c1'], { hours: 90 })])

    expect(words(heard[3] ?? '')).toEqual([
      'removed evolved_into a c',
      'removed shared_entities a c',
      'added evolved_into a b',
      'added shared_entities a b',
    ])
    expect(eventsOf(heard[3] ?? '').map(({ occurred_at }) => occurred_at)).toEqual([at(3), at(3), at(2), at(2)])
  })

  it('so a place in a thread holds from the story on', () => {
    const { hear } = live([
      about('a', QUINTET, 1),
      about('b', QUINTET, 2),
      ...['d1', 'd3', 'd4'].map((id) => anArticle('d', id, { names: 'p7', hours: 5 })),
      anArticle('d', 'd2', { names: QUINTET, hours: 4, subject: 'x' }),
    ])

    const heard = hear(aCorrection('split', ['d', 'e'], ['d2'], { hours: 90 }))

    const places = eventsOf(heard).filter(({ kind }) => kind === 'thread')
    expect(places.map(({ source, occurred_at }) => [source, occurred_at])).toEqual([
      ['sto_a', at(1)],
      ['sto_b', at(2)],
      ['sto_e', at(4)],
    ])
  })
})

describe('memory has a budget', () => {
  it('the story without news for longest leaves whole and silently, and what was told of it stays', () => {
    const given = [
      about('a', QUINTET),
      about('b', QUINTET, 1),
      anArticle('a', 'a2', { names: QUINTET, hours: 2, subject: 'subject of a' }),
      about('c', 'p9', 3),
    ]
    const { heard, emitted, state, hear } = live(given, { budget: 3 })

    expect(heard[3]).toBe('nothing_changed')
    expect([...(state().namespaces.get('shared')?.stories.keys() ?? [])].sort()).toEqual(['sto_a', 'sto_c'])
    expect(folded(emitted)).toEqual(graphOf(given))
    expect(words(hear(about('d', QUINTET, 4)))).toEqual(['added evolved_into a d', 'added shared_entities a d']) // while a leaves too
    expect(state().size).toBe(2)
  })

  it('a story takes along the names that it bears', () => {
    const given = [about('a', 'p1'), about('b', 'p2'), aChange('merged', ['a', 'b'], ['a1']), about('c', 'p3')]
    const { state, hear } = live(given, { budget: 3 })

    hear(about('d', 'p4'))

    expect([...(state().namespaces.get('shared')?.stories.keys() ?? [])].sort()).toEqual(['sto_c', 'sto_d'])
  })

  it('a busy namespace does not push out a quiet one', () => {
    const quiet = anArticle('q', 'q1', { names: 'p1', namespace: 'acme' })
    const { state } = live([quiet, about('a', 'p1'), about('b', 'p2'), about('c', 'p3')], { budget: 3 })

    expect(state().namespaces.get('acme')?.articles.size).toBe(1)
    expect([...(state().namespaces.get('shared')?.living.keys() ?? [])]).toEqual(['sto_b', 'sto_c'])
  })

  it('a thread keeps its name for those that stay, whoever leaves, also after a restart and a merge', () => {
    const { hear, restart, state } = aLinker({ budget: 4 })
    const threads = (line: ArticleClustered) =>
      new Set(eventsOf(hear(line)).flatMap(({ thread_id }) => thread_id ?? []))
    const first = new Set([threadOf('s0')])

    for (const i of [0, 1]) hear(about(`s${i}`, QUINTET, i))
    for (const i of [2, 3]) expect(threads(about(`s${i}`, QUINTET, i))).toEqual(first)
    expect(threads(about('s4', QUINTET, 4))).toEqual(first) // s0 is evicted
    restart((keys) => [...keys].reverse())
    expect(threads(about('s5', QUINTET, 5))).toEqual(first) // s1 is evicted
    const thread = () => state().namespaces.get('shared')?.stories.get('sto_s5')?.known?.thread
    expect(thread()).toBeNull() // another story holds the thread's name
    hear(aChange('merged', ['s3', 's5'], ['s31'], 6)) // it inherited the name from s0
    expect(thread()).toEqual({ order: 0, cluster_id: 'sto_s0' })
    expect(threads(about('s6', QUINTET, 7))).toEqual(first) // s2 is evicted
  })

  it('of a thread that falls apart after its first story left, one part keeps the name', () => {
    const others = ['s3', 's4', 's5'].map((story) => about(story, 'p6 p7 o8 g9', 8))
    const { hear, emitted } = live(
      [0, 1, 2, 3, 4, 5].map((i) => about(`s${i}`, QUINTET, i)),
      { budget: 5 }, // s0 is evicted
    )

    const heard = [...emitted, ...others.flatMap((line) => eventsOf(hear(line)))]

    const { threads } = folded(heard)
    expect([threads.get('sto_s1'), threads.get('sto_s2')]).toEqual([undefined, undefined])
    expect(threads.get('sto_s3')).toBe(threadOf('s0'))
    const more = [6, 7].flatMap((i) => eventsOf(hear(about(`s${i}`, QUINTET, i + 4))))
    const now = folded([...heard, ...more]).threads
    expect(now.get('sto_s7')).not.toBe(now.get('sto_s5'))
  })

  it('writes one entry more for a thread whose first story leaves, however many are in it', () => {
    const { hear, changelog } = live(
      Array.from({ length: 30 }, (_, i) => about(`s${i}`, QUINTET, i)),
      { budget: 30 },
    )
    const before = changelog.length

    for (let i = 30; i < 40; i++) hear(about(`s${i}`, QUINTET, i))

    // two added and two evicted per article, and one update of the story that inherits the founding
    expect(changelog.length - before).toBe(10 * 4 + 1)
  })

  it('a story that was emptied leaves with those as old as it is', () => {
    const { state, hear } = live(
      [about('a', 'p1'), about('b', 'p2'), aChange('moved', ['a', 'b'], ['a1']), about('c', 'p3')],
      { budget: 3 },
    )
    const names = () => [...(state().namespaces.get('shared')?.stories.keys() ?? [])].sort()
    expect(names()).toEqual(['sto_a', 'sto_b', 'sto_c'])

    hear(about('d', 'p4'))

    expect(names()).toEqual(['sto_c', 'sto_d'])
  })
})

it('takes out of a story of many articles without a look at all of them', () => {
  const ids = Array.from({ length: 300 }, (_, i) => `a${i}`)
  const { hear, state } = live([...ids.map((id) => anArticle('a', id, { names: 'p1' })), about('b', 'p2')], {
    budget: 9_000,
  })
  const articles = state().namespaces.get('shared')?.stories.get('sto_a')?.articles
  const walked = vi.spyOn(articles ?? new Map(), 'values')

  hear(aChange('merged', ['a', 'b'], ids, 2))

  expect(state().namespaces.get('shared')?.stories.get('sto_b')?.articles.size).toBe(301)
  expect(walked.mock.calls.length).toBeLessThan(5)
})

it('a merge of articles that are there already says where their story went', () => {
  const { heard } = live([
    ...[about('a', 'p1'), about('b', 'p2'), aChange('moved', ['a', 'b'], ['a1'])],
    aChange('merged', ['a', 'b'], ['a1'], 3),
  ])

  expect(words(heard[3] ?? '')).toEqual(['added merged_with a b'])
})

it('a link to a story of later articles does not hold before they were there', () => {
  const { heard } = live([about('b', QUINTET, 9), about('a', QUINTET, 1)])

  expect(eventsOf(heard[1] ?? '').map(({ source, occurred_at }) => [source, occurred_at])).toEqual([
    ['sto_a', at(9)],
    ['sto_a', at(9)],
  ])
})
