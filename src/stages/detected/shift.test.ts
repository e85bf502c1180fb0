import { describe, expect, it } from 'vitest'
import { evenly, live, emittedOf, type DetectedArticleInput } from '../../../test/builders/detected.ts'

const WEEK = 168
const spoken =
  (sentiment: number | null, over: DetectedArticleInput = {}) =>
  (): DetectedArticleInput => ({ names: { ada: { sentiment } }, ...over })
const steady = evenly('steady', { from: 0, until: WEEK, count: 70 }, spoken(0.2))
const before = (sentiment: number | null, over: DetectedArticleInput = {}) =>
  evenly('before', { from: WEEK, until: WEEK + 6, count: 12 }, spoken(sentiment, over))
const after = (sentiment: number | null, over: DetectedArticleInput = {}) =>
  evenly('after', { from: WEEK + 6.2, until: WEEK + 12.2, count: 12 }, spoken(sentiment, over))
const shifts = (events: Parameters<typeof live>[0]) =>
  live(events).emitted.filter(({ type }) => type === 'sentiment.shift')

describe('the tone towards a trending entity shifts', () => {
  it('once, when six hours differ by more than 0.3 from the six before', () => {
    const found = shifts([...steady, ...before(0.2), ...after(-0.4)])

    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({
      subject_id: 'ent_ada',
      name: 'ADA',
      window_hours: 6,
      origins: 8,
      p_value: null,
      low_support: false,
    })
    expect(found[0]?.sentiment_before).toBeCloseTo(0.2, 3)
    expect(found[0]?.sentiment_after).toBeLessThan(-0.1)
    expect(found[0]?.velocity).toBeCloseTo((found[0]?.count ?? 0) / (found[0]?.baseline ?? 1), 9)
    expect(found[0]?.baseline).toBeCloseTo(2.5, 9)
  })

  it.each<[string, Parameters<typeof live>[0]]>([
    ['where it changes less', [...before(0.2), ...after(-0.05)]],
    ['where nobody knows how it was spoken of', [...before(null), ...after(-0.9)]],
    ['where one outlet changes its mind', [...before(0.2), ...after(-0.4, { outlet: 'gazette' })]],
    ['where it is one text', [...before(0.2), ...after(-0.4, { group: 'syn_wire' })]],
    [
      'where every hour differs as much',
      [...before(0.2), ...after(0.2)].map((event, i) => ({
        ...event,
        member: {
          ...event.member,
          entities: event.member.entities.map((one) => ({
            ...one,
            sentiment_score: i % 2 === 0 ? 0.9 : i < 12 ? -0.3 : -0.95,
          })),
        },
      })),
    ],
  ])('not %s', (_, events) => {
    expect(shifts([...steady, ...events])).toEqual([])
  })

  it('not of one that is named as always', () => {
    const usual = evenly('usual', { from: WEEK, until: WEEK + 240, count: 240 }, (i) => ({
      names: { ada: { sentiment: i % 24 < 12 ? 0.8 : -0.8 } },
    }))
    const often = evenly('often', { from: 0, until: WEEK, count: 168 }, spoken(0.2))

    expect(shifts([...often, ...usual])).toEqual([])
  })

  it('when its articles come in whatever order', () => {
    expect(shifts([...steady, ...after(-0.4), ...before(0.2)])).toHaveLength(1)
    expect(
      emittedOf(live([...steady, ...[...before(0.2), ...after(-0.4)].reverse()]).emitted, 'sentiment.shift'),
    ).toHaveLength(1)
  })
})
