import { describe, expect, it } from 'vitest'
import { aChange } from '../../../test/builders/transitioned.ts'
import { anArticle, evenly, live, emittedOf, type DetectedArticleInput } from '../../../test/builders/detected.ts'

const nobody = { names: {} }
const inStory =
  (story: string, over: DetectedArticleInput = {}) =>
  () => ({ story, ...nobody, ...over })
const burst = (story: string, from: number, over: DetectedArticleInput = {}) =>
  evenly(`burst of ${story}`, { from, until: from + 5, count: 5 }, inStory(story, over))
const trends = (events: Parameters<typeof live>[0]) => emittedOf(live(events).emitted, 'trend.detected')

describe('a story trends', () => {
  it('with its fifth article within a day, by three accounts, once', () => {
    expect(trends([...burst('a', 100), ...burst('a', 106)])).toEqual([['a', 104]])
  })

  it('and its detection says how fast, of what and about what', () => {
    const categories = ['politics', 'health', 'politics', 'health', 'health']
    const events = evenly('burst', { from: 100, until: 105, count: 5 }, (i) => ({
      ...inStory('a')(),
      categories: [categories[i] ?? ''],
      title: `Title ${i}`,
    }))

    expect(live(events).emitted).toMatchObject([
      {
        type: 'trend.detected',
        subject_id: 'sto_a',
        name: 'Title 4',
        category: 'health',
        ...{ velocity: 5, baseline: 1, window_hours: 24, count: 5, origins: 5 },
        ...{ p_value: null, sentiment_before: null, sentiment_after: null },
        low_support: true,
      },
    ])
  })

  it('by what it had before, and with support where that is three days', () => {
    const before = evenly('before', { from: 0, until: 240, count: 20 }, inStory('a'))
    const after = evenly('after', { from: 241, until: 250, count: 40 }, inStory('a'))

    const { emitted } = live([...before, ...after])

    // before the last day: 18 + 1 articles in about 9 + 1 days
    expect(emitted).toMatchObject([{ window_hours: 24, low_support: false }])
    expect(emitted[0]?.baseline).toBeCloseTo(2, 0)
    expect(emitted[0]?.velocity).toBeGreaterThanOrEqual(5)
  })

  it('again only after a day in which it grew no faster than half of that', () => {
    const steady = evenly('steady', { from: 0, until: 240, count: 20 }, inStory('a'))
    const wave = (from: number) => evenly('wave', { from, until: from + 10, count: 60 }, inStory('a'))
    const calm = evenly('calm', { from: 260, until: 1_000, count: 60 }, inStory('a'))

    const hours = trends([...steady, ...wave(241), ...calm, ...wave(1_001)]).map(([, hour]) => Number(hour))

    expect(hours).toHaveLength(2)
    expect(hours[1]).toBeGreaterThan(1_000)
  })

  it('not where one text, one outlet or one family tells it', () => {
    expect(trends(burst('a', 100, { group: 'syn_wire' }))).toEqual([])
    expect(trends(burst('a', 100, { outlet: 'gazette' }))).toEqual([])
    expect(trends(burst('a', 100, { family: 'gazettes' }))).toEqual([])
  })

  it('when its articles come in whatever order', () => {
    expect(trends(burst('a', 100).toReversed())).toEqual([['a', 104]])
  })
})

describe('what becomes of stories', () => {
  const ids = (story: string, from: number) => burst(story, from).map(({ article_id }) => article_id.slice(4))
  const all = (story: string, from: number) => [...burst(story, from)]

  it('a merged one takes along that it was told', () => {
    const merged = aChange('merged', ['a', 'b'], ids('a', 100))

    const { emitted, changelog } = live([
      ...all('a', 100),
      anArticle('b1', 101, { story: 'b', ...nobody }),
      merged,
      ...all('b', 106),
    ])

    expect(emittedOf(emitted, 'trend.detected')).toEqual([['a', 104]])
    expect(changelog.filter(({ value }) => value === null).map(({ key }) => key)).toEqual([
      'shared:told:trend.detected:sto_a',
    ])
  })

  it('one that opens out of another was told with it', () => {
    const split = aChange('split', ['a', 'b'], ids('a', 100).slice(0, 3))

    expect(trends([...all('a', 100), split, ...all('b', 106)])).toEqual([['a', 104]])
  })

  it('one that was there before keeps its own', () => {
    const moved = aChange('moved', ['a', 'b'], ids('a', 100).slice(0, 2))
    const b = anArticle('b1', 101, { story: 'b', ...nobody })

    expect(trends([...all('a', 100), b, moved, ...all('b', 106)])).toEqual([
      ['a', 104],
      ['b', 107],
    ])
  })

  it('a refused correction moves nothing', () => {
    const correction = { correction_id: 'cor', action: 'move', refused: 'unknown_story', reason: null, key_id: 'k' }

    const { reasons } = live([...all('a', 100), aChange('corrected', ['a', 'b'], ids('a', 100), correction)])

    expect(reasons.at(-1)).toBe('nothing_moved')
  })
})
