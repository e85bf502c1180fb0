import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anArticle, at, evenly, live, emittedOf, type DetectedArticleInput } from '../../../test/builders/detected.ts'
import { chance } from './spike.ts'

const WEEK = 168
const steady = evenly('steady', { from: 0, until: WEEK, count: 140 })
const fivefold = (days: number) => evenly('step', { from: WEEK, until: WEEK + 24 * days, count: 100 * days })

describe('an entity spikes', () => {
  it('within three hours of a fivefold step, exactly once', () => {
    const { emitted } = live([...steady, ...fivefold(10)])

    const spikes = emittedOf(emitted, 'entity.spike')
    expect(spikes.map(([who]) => who)).toEqual(['ada'])
    expect(Number(spikes[0]?.[1]) - WEEK).toBeLessThanOrEqual(3)
  })

  it('at midnight as at noon: its windows are no part of what is usual', () => {
    const late = [
      ...evenly('steady', { from: 0, until: WEEK + 22, count: 158 }),
      ...evenly('step', { from: WEEK + 22, until: WEEK + 46, count: 100 }),
    ]

    const [[, hour] = [], ...others] = emittedOf(live(late).emitted, 'entity.spike')

    expect(Number(hour) - WEEK - 22).toBeLessThanOrEqual(3)
    expect(others).toEqual([])
  })

  it('and its detection says by how much, in which window and how likely by chance', () => {
    const { emitted } = live([...steady, ...fivefold(1)])

    expect(emitted).toHaveLength(1)
    expect(emitted[0]).toMatchObject({
      namespace: 'shared',
      caused_by: { topic: 'articles.clustered', partition: 0, offset: 152 },
      produced_by: { stage: 'detected', version: '1' },
      type: 'entity.spike',
      subject_id: 'ent_ada',
      name: 'ADA',
      category: null,
      window_hours: 3,
      count: 13,
      origins: 13,
      low_support: false,
      ...{ sentiment_before: null, sentiment_after: null },
    })
    // the baseline excludes the hours of the windows on the day before: 138 in 164.9 hours
    expect(emitted[0]?.baseline).toBeCloseTo(2.51, 2)
    expect(emitted[0]?.velocity).toBeCloseTo(5.18, 2)
    expect(emitted[0]?.p_value).toBeGreaterThan(1e-5)
    expect(emitted[0]?.p_value).toBeLessThan(0.001)
  })

  it('not while it is named as it always was, five times an hour or once a day', () => {
    const often = evenly('often', { from: 0, until: 720, count: 3_600 }, () => ({ names: { ada: {} } }))
    const seldom = evenly('seldom', { from: 0.1, until: 720.1, count: 30 }, () => ({ names: { bo: {} } }))
    const together = [...often, ...seldom].sort((a, b) => a.occurred_at - b.occurred_at)

    expect(live(together).emitted).toEqual([])
  })

  it('again when it has been calm for a day', () => {
    const burst = (day: number) => evenly('burst', { from: 24 * day + 13.9, until: 24 * day + 14.5, count: 30 })
    const quiet = (from: number, days: number) =>
      evenly('quiet', { from: 24 * from, until: 24 * (from + days), count: 20 * days })
    const events = [...steady, ...burst(7), ...burst(7.97), ...quiet(9, 12), ...burst(21)]

    const { emitted } = live(events)

    expect(emittedOf(emitted, 'entity.spike').map(([, hour]) => Math.floor(Number(hour)))).toEqual([182, 518])
  })

  it('again within a week only where it is far above the day before, too', () => {
    const after = (count: number) => evenly('after', { from: WEEK + 100, until: WEEK + 101, count })
    const since = [...fivefold(4), ...evenly('since', { from: WEEK + 96, until: WEEK + 100, count: 16 })]
    const times = (count: number) =>
      emittedOf(live([...steady, ...since, ...after(count)]).emitted, 'entity.spike').length

    expect(times(14)).toBe(1)
    expect(times(80)).toBe(2)
  })

  it('with little support where it is known for less than three days', () => {
    const others = evenly('others', { from: 0, until: 72, count: 30 }, () => ({ names: { bo: {} } }))
    const ada = evenly('ada', { from: 30, until: 72, count: 20 })

    const { emitted } = live([...others, ...ada, ...evenly('step', { from: 72, until: 78, count: 60 })])

    expect(emitted).toMatchObject([{ subject_id: 'ent_ada', low_support: true }])
  })

  it('not when it was never named before', () => {
    const others = evenly('others', { from: 0, until: WEEK, count: 140 }, () => ({ names: { bo: {} } }))

    expect(live([...others, ...fivefold(1)]).emitted).toEqual([])
  })

  it('by the ingestion days before it, however long ago', () => {
    const { emitted } = live([...steady, ...evenly('step', { from: 2_400, until: 2_424, count: 100 })])

    expect(emittedOf(emitted, 'entity.spike')).toHaveLength(1)
  })

  it('in its own namespace', () => {
    const elsewhere = evenly('step', { from: WEEK, until: WEEK + 24, count: 100 }, () => ({ namespace: 'private' }))

    expect(live([...steady, ...elsewhere]).emitted).toEqual([])
  })
})

describe('an entity does not spike', () => {
  const flood = (over: (i: number) => DetectedArticleInput) => [
    ...steady,
    ...[...evenly('flood', { from: WEEK, until: WEEK + 24, count: 200 }, over)],
    ...evenly('usual', { from: WEEK, until: WEEK + 24, count: 20 }),
  ]
  const inOrder = (events: ReturnType<typeof flood>) => [...events].sort((a, b) => a.occurred_at - b.occurred_at)

  it.each<[string, (i: number) => DetectedArticleInput]>([
    ['because one outlet repeats itself', () => ({ outlet: 'gazette' })],
    ['because outlets of one family do', (i) => ({ outlet: `gazette ${i}`, family: 'gazettes' })],
    ['because many print one text', () => ({ group: 'syn_wire' })],
    ['because many rewrite one text', (i) => (i === 0 ? {} : { derived_from: 'flood_168_0' })],
    ['because an outlet nobody knows prints one text', () => ({ outlet: '', group: 'syn_wire' })],
  ])('%s, though others name it as always', (_, over) => {
    expect(live(inOrder(flood(over))).emitted).toEqual([])
    expect(emittedOf(live(inOrder(flood(() => ({})))).emitted, 'entity.spike')).toHaveLength(1)
  })

  it('because it is day', () => {
    const days = Array.from({ length: 28 }, (_, day) =>
      evenly(`day${day}`, {
        from: 24 * day + 7 + (day % 3) / 3,
        until: 24 * day + 10 + (day % 3) / 3,
        count: 40 + (day % 7),
      }),
    )

    expect(live(days.flat()).emitted).toEqual([])
  })

  it('because news has a date but no time of day', () => {
    const days = Array.from({ length: 28 }, (_, day) =>
      Array.from({ length: 5 + ((day * 7) % 5) }, (_, i) => anArticle(`${day}_${i}`, 24 * day)),
    )

    expect(live(days.flat()).emitted).toEqual([])
  })

  it('because a few articles name it many times', () => {
    const wordy = evenly('wordy', { from: WEEK, until: WEEK + 1, count: 4 }, () => ({
      names: { ada: { mentions: 20 } },
    }))

    expect(live([...steady, ...wordy]).emitted).toEqual([])
  })

  it('where it is a date or a sum', () => {
    const monday = (): DetectedArticleInput => ({ names: { monday: { type: 'DATE' }, million: { type: 'MONEY' } } })
    const events = [
      ...evenly('steady', { from: 0, until: WEEK, count: 140 }, monday),
      ...evenly('step', { from: WEEK, until: WEEK + 24, count: 100 }, monday),
    ]

    expect(live(events).emitted).toEqual([])
  })
})

describe('by event time alone', () => {
  const story = [...steady, ...fivefold(3)]
  const years = 24 * 365 * 3
  const today = [
    ...evenly('now', { from: years, until: years + WEEK, count: 70 }),
    ...evenly('now', { from: years + WEEK, until: years + WEEK + 24, count: 80 }),
  ]
  const ids = (events: Parameters<typeof live>[0]) => live(events).emitted.map(({ event_id }) => event_id)

  it('an old corpus that comes after the news of today gives what it would have given alone', () => {
    expect(ids(today)).toHaveLength(1)
    expect(ids([...today, ...story])).toEqual([...ids(today), ...ids(story)])
    expect(ids([...story, ...today])).toEqual([...ids(story), ...ids(today)])
  })

  it('what comes twice or is revised counts once', () => {
    const again = [
      ...steady,
      ...steady,
      ...fivefold(3).flatMap((one) => [one, { ...one, event_id: `${one.event_id} again` }]),
    ]

    expect(ids(again)).toEqual(ids(story))
    expect(ids([...story, ...story])).toEqual(ids(story))
  })

  it('an article that is revised to another day is taken from the one it was of', () => {
    const first = live([...steady, ...fivefold(1).slice(0, 12)])
    const moved = { ...anArticle('step_168_11', 30), event_id: 'evt_revised' }

    const after = live([moved, anArticle('more', WEEK + 2.9)], { from: { state: first.state, offset: 200 } })

    expect(first.emitted).toEqual([])
    expect(after.emitted).toEqual([])
    const held = after.state.namespaces.get('shared')
    expect(held?.days.articles.get(Math.floor(at(0) / 86_400_000) + 1)).toBe(21)
  })

  it('the order in which a day comes tells nothing twice', () => {
    const day = fivefold(1)
    fc.assert(
      fc.property(fc.shuffledSubarray([...day], { minLength: 60 }), (shuffled) => {
        expect(emittedOf(live([...steady, ...shuffled]).emitted, 'entity.spike').length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 50 },
    )
    expect(emittedOf(live([...steady, ...day.toReversed()]).emitted, 'entity.spike')).toHaveLength(1)
  })
})

/** Computed with exact fractions. */
const KNOWN = [
  [13, 140, 1 / 57, 3.6349623028259437e-6],
  [8, 140, 1 / 169, 3.3945906050810646e-6],
  [3, 5, 1 / 25, 3.0796790431744e-3],
  [5, 0, 1 / 8, 3.0517578125e-5],
  [60, 1400, 3 / 171, 3.30251120870373e-9],
  [40, 300, 1 / 29, 2.357329918874009e-11],
  [7, 21, 1 / 8, 5.2508385235369805e-2],
  [1, 700, 1 / 900, 5.412830499681985e-1],
] as const

describe('the chance of as many in a window', () => {
  it.each(KNOWN)('of %i beside %i before, the window %f of the time, is %f', (count, prior, share, known) => {
    expect(Math.abs(chance({ count, prior, share }) / known - 1)).toBeLessThan(1e-11)
  })

  it('is certain where no more came than was to be expected', () => {
    expect(chance({ count: 0, prior: 3, share: 0.1 })).toBe(1)
    expect(chance({ count: 5, prior: 45, share: 0.1 })).toBe(1)
  })

  it('falls with the count and rises with what came before', () => {
    const whole = fc.integer({ min: 1, max: 400 })
    fc.assert(
      fc.property(whole, whole, fc.double({ min: 0.001, max: 0.5, noNaN: true }), (count, prior, share) => {
        const one = chance({ count, prior, share })
        expect(chance({ count: count + 1, prior, share })).toBeLessThanOrEqual(one * (1 + 1e-9))
        expect(chance({ count, prior: prior + 1, share })).toBeGreaterThanOrEqual(one * (1 - 1e-9))
      }),
    )
  })
})
