import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  aChange,
  aReport,
  at,
  aTick,
  aTransition,
  liveMatched,
  matchesOf,
  type MatchedIn,
} from '../../../test/builders/matched.ts'
import { aMonitor } from '../../../test/builders/monitors.ts'
import type { LifecycleState } from '../../events/lifecycle.ts'
import type { MonitorConditions } from '../../events/monitors.ts'
import { STAGES } from '../../events/stages.ts'

const monitor = (conditions: Partial<MonitorConditions>, id = 'a') => aMonitor({ monitor_id: `mon_${id}`, conditions })
const matched = (events: readonly MatchedIn[]) => matchesOf(liveMatched(events).emitted)

describe('conditions on an article', () => {
  const report = aReport(['s', '1'], 1, {
    ...{ title: 'Rain in the north', text: 'The central bank of Oslo moved.', names: ['Oslo'], country: 'NO' },
    ...{ language: 'en', categories: ['politics'], source: 'The Times' },
  })

  it.each<[Partial<MonitorConditions>, boolean]>([
    [{ query: 'rain' }, true],
    [{ query: '"central bank" oslo' }, true],
    [{ query: 'snow' }, false],
    [{ entity_ids: ['ent_Oslo'] }, true],
    [{ entity_names: ['oslo'] }, true],
    [{ entity_ids: ['ent_Rome'], entity_names: ['oslo'] }, true],
    [{ entity_names: ['rome'] }, false],
    [{ places: ['SE', 'NO'] }, true],
    [{ places: ['SE'] }, false],
    [{ languages: ['en'] }, true],
    [{ languages: ['no'] }, false],
    [{ categories: ['politics', 'health'] }, true],
    [{ categories: ['health'] }, false],
    [{ sources: ['the times'] }, true],
    [{ sources: ['times.example.com'] }, true],
    [{ sources: ['the post'] }, false],
  ])('%j: %s', (conditions, expected) => {
    expect(matched([monitor(conditions), ...report])).toHaveLength(expected ? 1 : 0)
  })

  it('hold together for one article', () => {
    const both = monitor({ query: 'rain', languages: ['no'] })
    const foreign = aReport(['s', '2'], 2, { title: 'Regn', language: 'no' })

    expect(matched([both, ...report, ...foreign])).toEqual([])
    expect(matched([both, ...report, ...aReport(['s', '3'], 3, { title: 'rain', language: 'no' })])).toHaveLength(1)
  })

  it('concern articles that arrive after the monitor, whose story may be older', () => {
    const third = monitor({ min_origins: 2 })

    expect(matched([...report, third])).toEqual([])
    expect(matched([...report, third, ...aReport(['s', '2'], 2)])).toEqual([['matched', 'a', 's', true]])
  })
})

describe('conditions on a story', () => {
  it('the third independent source: reprints do not count', () => {
    const third = monitor({ min_origins: 3, entity_names: ['oslo'] })
    const named = { names: ['Oslo'] }
    const events = [
      ...aReport(['s', '1'], 1, named),
      ...aReport(['s', '2'], 2, { group: 'syn_1' }),
      ...aReport(['s', '3'], 3),
      ...aReport(['s', '4'], 4),
      ...aReport(['s', '5'], 5),
    ]
    const { emitted } = liveMatched([third, ...events])

    expect(matchesOf(emitted)).toEqual([['matched', 'a', 's', true]])
    expect(emitted[0]).toMatchObject({
      occurred_at: at(4),
      caused_by: { topic: 'articles.clustered', partition: 0, offset: 3 },
      produced_by: STAGES.matched,
      monitor_name: 'Rain',
      stories: [{ title: 'Report 1', article_ids: ['art_1'], article_count: 4, origin_count: 3, matched_at: at(4) }],
    })
  })

  it('its lifecycle state', () => {
    const concluded = monitor({ lifecycle_states: ['concluded'] })
    const story = aReport(['s', '1'], 1)

    expect(matched([concluded, ...story, aTransition('s', 'breaking', 2)])).toEqual([])
    const events = [concluded, ...story, aTransition('s', 'breaking', 2), aTransition('s', 'concluded', 80)]
    expect(matched([...events, aTransition('s', 'concluded', 81)])).toEqual([['matched', 'a', 's', true]])
  })

  it('its mean sentiment', () => {
    const sad = monitor({ max_sentiment: -0.5 })
    const first = aReport(['s', '1'], 1, { sentiment_score: 0 })

    expect(matched([sad, ...first, ...aReport(['s', '2'], 2, { sentiment_score: -0.9 })])).toEqual([])
    expect(matched([sad, ...first, ...aReport(['s', '2'], 2, { sentiment_score: -1 })])).toHaveLength(1)
  })

  it('its velocity, at its articles and as time passes', () => {
    const fast = monitor({ min_velocity: 3 })
    const days = [0, 24, 48, 72].flatMap((hours, i) => aReport(['s', `day ${i}`], hours))
    const burst = [73, 73.2, 73.4].flatMap((hours, i) => aReport(['s', `burst ${i}`], hours))

    expect(matched([fast, ...days])).toEqual([])
    expect(matched([fast, ...days, ...burst])).toEqual([['matched', 'a', 's', true]])
    // four articles after two the day before: the baseline falls as the story grows older
    const slow = [0, 1, 25.5, 25.6, 25.7, 25.8].flatMap((hours, i) => aReport(['s', `${i}`], hours))
    expect(matched([monitor({ min_velocity: 2.5 }), ...slow])).toEqual([])
    expect(matched([monitor({ min_velocity: 2.5 }), ...slow, aTick(47)])).toHaveLength(1)
  })
})

describe('a story matches a monitor once', () => {
  const story = [aReport(['s', '1'], 1), aReport(['s', '2'], 2)].flat()

  it('for each version of its conditions', () => {
    const first = monitor({ min_origins: 1 })
    const again = { ...monitor({ min_origins: 3 }), conditions_version: 2 }

    expect(matched([first, ...story, ...aReport(['s', '3'], 3)])).toHaveLength(1)
    expect(matched([first, ...story, again, ...aReport(['s', '3'], 3)])).toHaveLength(2)
    expect(matched([first, ...story, { ...first, name: 'Renamed' }, ...aReport(['s', '3'], 3)])).toHaveLength(1)
  })

  it('and not again after it absorbed another that had matched', () => {
    const any = monitor({ query: 'rain' })
    const other = aReport(['t', '9'], 1, { title: 'Rain' })

    expect(matched([any, ...story, ...other, aChange('merged', ['t', 's'], ['9'])])).toEqual([
      ['matched', 'a', 't', true],
    ])
  })

  it('and not again when its articles come back after a merge was undone', () => {
    const any = monitor({ query: 'report' })
    const events = [...story, ...aReport(['t', '9'], 1), aChange('merged', ['s', 't'], ['1', '2'])]
    const undone = [...events, aChange('moved', ['t', 's'], ['1', '2']), ...aReport(['s', '3'], 3)]

    expect(matched([any, ...undone]).map(([, , name]) => name)).toEqual(['s', 't'])
  })

  it('a story without articles is forgotten after 30 days', () => {
    const any = monitor({ query: 'report' })
    const merged = [...story, ...aReport(['t', '9'], 1), aChange('merged', ['s', 't'], ['1', '2'])]

    const kept = (hours: number) => [
      ...(liveMatched([any, ...merged, aTick(hours)])
        .state.namespaces.get('shared')
        ?.stories.keys() ?? []),
    ]
    expect(kept(29 * 24)).toEqual(['sto_s', 'sto_t'])
    expect(kept(32 * 24)).toEqual(['sto_t'])
  })

  it('when a merge makes it match', () => {
    const events = [...story, ...aReport(['t', '9'], 1), aChange('merged', ['t', 's'], ['9'])]
    expect(matched([monitor({ min_origins: 3 }), ...events])).toEqual([['matched', 'a', 's', true]])
  })

  it('under its own id if it was split off', () => {
    const events = [...aReport(['s', '1'], 1), ...aReport(['s', '2'], 2), aChange('split', ['s', 't'], ['2'])]
    expect(matched([monitor({ query: 'report' }), ...events]).map(([, , name]) => name)).toEqual(['s', 't'])
  })

  it('a paused or deleted monitor matches nothing, and one that is active again only what arrives then', () => {
    const any = monitor({ query: 'report' })

    expect(matched([any, { ...any, status: 'paused' }, ...story])).toEqual([])
    expect(matched([any, { ...any, status: 'deleted' }, ...story])).toEqual([])
    expect(matched([any, { ...any, status: 'paused' }, ...story, any, ...aReport(['s', '3'], 3)])).toHaveLength(1)
  })

  it('only in the namespace of the monitor', () => {
    expect(matched([{ ...monitor({ query: 'report' }), namespace: 'lab' }, ...story])).toEqual([])
  })
})

describe('messages', () => {
  const stories = ['s', 't', 'u'].flatMap((name, i) => aReport([name, name], i + 1))
  const any = monitor({ query: 'report' })

  it('are held back in quiet hours and sent together when they end', () => {
    const quiet = { ...any, quiet_hours: { start: '12:00', end: '16:00' } }
    const events = matched([quiet, ...stories, aTick(3.9), aTick(4), aTick(5), ...aReport(['v', 'v'], 6)])

    expect(events).toEqual([
      ['matched', 'a', 's', false],
      ['matched', 'a', 't', false],
      ['matched', 'a', 'u', false],
      ['digest', 'a', 's,t,u', true],
      ['matched', 'a', 'v', true],
    ])
  })

  it('come once a day as a digest', () => {
    const daily = { ...any, digest_at: '13:30' }
    const [first = [], ...others] = ['s', 't', 'u'].map((name, i) => aReport([name, name], i + 1))
    const events = matched([
      daily,
      ...first,
      aTick(1.4),
      aTick(1.5),
      ...others.flat(),
      aTick(4),
      aTick(25.5),
      aTick(26),
    ])

    expect(events.filter(([type]) => type === 'digest')).toEqual([
      ['digest', 'a', 's', true],
      ['digest', 'a', 't,u', true],
    ])
  })

  it('that are held back are dropped with a monitor that is paused, and are in the feed all the same', () => {
    const quiet = { ...any, quiet_hours: { start: '12:00', end: '16:00' } }
    const events = matched([quiet, ...stories, { ...quiet, status: 'paused' }, quiet, aTick(5)])

    expect(events.map(([type]) => type)).toEqual(['matched', 'matched', 'matched'])
  })

  it('a digest has the newest 200 matches', () => {
    const many = Array.from({ length: 203 }, (_, i) => aReport([`s${i}`, `${i}`], 1 + i / 1_000)).flat()
    const { emitted } = liveMatched([{ ...any, digest_at: '13:30' }, ...many, aTick(2)])

    const digest = emitted.find(({ type }) => type === 'monitor.digest')
    expect([digest?.stories.length, digest?.stories[0]?.cluster_id]).toEqual([200, 'sto_s3'])
  })

  it('repeat no long texts', () => {
    const long = aReport(['s', '1'], 1, { title: `Report ${'x'.repeat(5_000)}` })

    expect(liveMatched([any, ...long]).emitted[0]?.stories[0]?.title).toHaveLength(300)
  })

  it('are at most so many a day; the rest is sent together on the next', () => {
    const two = { ...any, max_per_day: 2 }
    const events = matched([two, ...stories, aTick(4), aTick(12), aTick(13)])

    expect(events.map(([type, , , notify]) => [type, notify])).toEqual([
      ['matched', true],
      ['matched', true],
      ['matched', false],
      ['digest', true],
    ])
  })
})

describe('whatever happens, in whatever order', () => {
  const STORIES = ['s', 't', 'u']
  const report = fc.record({
    kind: fc.constant('report' as const),
    story: fc.constantFrom(...STORIES),
    id: fc.integer({ min: 0, max: 20 }).map(String),
    title: fc.constantFrom('Rain', 'Snow', 'Rain and snow'),
    group: fc.constantFrom('syn_1', 'syn_2', 'syn_3', 'syn_4'),
    language: fc.constantFrom('en', 'de'),
    sentiment_score: fc.constantFrom(-1, 0, 0.5),
  })
  const change = fc.record({
    kind: fc.constant('change' as const),
    action: fc.constantFrom('merged' as const, 'split' as const, 'moved' as const),
    from: fc.constantFrom(...STORIES),
    to: fc.constantFrom(...STORIES),
  })
  const transition = fc.record({
    kind: fc.constant('transition' as const),
    story: fc.constantFrom(...STORIES),
    state: fc.constantFrom<LifecycleState>('breaking', 'mature'),
  })
  const MONITORS = [
    monitor({ query: 'rain' }, 'rain'),
    monitor({ query: 'rain -snow', min_origins: 2 }, 'rain_only'),
    monitor({ languages: ['de'], min_origins: 3 }, 'german'),
    monitor({ lifecycle_states: ['mature'], query: 'snow' }, 'mature'),
    monitor({ max_sentiment: -0.4 }, 'sad'),
  ]

  interface NaiveArticle {
    readonly story: string
    readonly title: string
    readonly group: string
    readonly language: string
    readonly sentiment_score: number
  }
  type NaiveStory = { readonly articles: readonly NaiveArticle[]; readonly state: LifecycleState | undefined }
  /** The monitors in plain words. */
  const NAIVE: Readonly<Record<string, (story: NaiveStory) => boolean>> = {
    rain: ({ articles }) => articles.some(({ title }) => title.includes('Rain')),
    rain_only: (story) => story.articles.some(({ title }) => title === 'Rain') && origins(story) >= 2,
    german: (story) => story.articles.some(({ language }) => language === 'de') && origins(story) >= 3,
    mature: ({ articles, state }) => state === 'mature' && articles.some(({ title }) => /snow/i.test(title)),
    sad: ({ articles }) => {
      const mean = articles.reduce((sum, { sentiment_score }) => sum + sentiment_score, 0) / articles.length
      return articles.length > 0 && mean <= -0.4
    },
  }
  const origins = ({ articles }: NaiveStory): number => new Set(articles.map(({ group }) => group)).size

  it('each story is emitted once per monitor, as soon as it matches; a restart changes nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 4, arbitrary: report }, change, transition), { maxLength: 40 }),
        (steps) => {
          const world = new Map<string, NaiveArticle>()
          const states = new Map<string, LifecycleState>()
          const expected = new Set<string>()
          const known = new Set<string>()
          const events: MatchedIn[] = [...MONITORS]
          for (const [i, step] of steps.entries()) {
            const touched: string[] = []
            if (step.kind === 'report') {
              const { id, ...article } = step
              const story = world.get(id)?.story ?? article.story // a revision stays in its story
              world.set(id, { ...article, story })
              events.push(...aReport([story, id], 1 + i / 1_000, article))
              touched.push(story)
            } else if (step.kind === 'transition') {
              if (![...world.values()].some(({ story }) => story === step.story)) continue
              states.set(step.story, step.state)
              events.push(aTransition(step.story, step.state, 1 + i / 1_000))
              touched.push(step.story)
            } else if (step.from !== step.to) {
              const all = [...world].filter(([, { story }]) => story === step.from)
              const moving = step.action === 'merged' ? all : all.slice(0, Math.floor(all.length / 2))
              if (moving.length === 0) continue
              for (const [id, article] of moving) world.set(id, { ...article, story: step.to })
              if (moving.length === all.length) states.delete(step.from)
              if (step.action === 'merged')
                for (const name of Object.keys(NAIVE))
                  if (known.has(`${name} ${step.from}`)) known.add(`${name} ${step.to}`)
              events.push(
                aChange(
                  step.action,
                  [step.from, step.to],
                  moving.map(([id]) => id),
                ),
              )
              touched.push(step.to)
            }
            for (const story of touched) {
              const articles = [...world.values()].filter((article) => article.story === story)
              for (const [name, holds] of Object.entries(NAIVE)) {
                if (known.has(`${name} ${story}`) || !holds({ articles, state: states.get(story) })) continue
                known.add(`${name} ${story}`)
                expected.add(`${i} ${name} ${story}`)
              }
            }
          }
          const { emitted } = liveMatched(events)
          const restarted = liveMatched(events, { restartEvery: 3 })

          expect(
            emitted
              .map(({ monitor_id, stories }) => `${monitor_id.slice(4)} ${stories[0]?.cluster_id.slice(4) ?? ''}`)
              .sort(),
          ).toEqual([...expected].map((line) => line.slice(line.indexOf(' ') + 1)).sort())
          expect(restarted.emitted).toEqual(emitted)
        },
      ),
      { numRuns: 60 },
    )
  })
})
