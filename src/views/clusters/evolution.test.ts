import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RESOLUTIONS } from '../../domain/days.ts'
import { pointCount, pointsOf, type MemberInTime } from './evolution.ts'

const LABELS = ['positive', 'neutral', 'negative']

const members = fc
  .array(
    fc.record({
      at: fc.integer({ min: -40 * RESOLUTIONS['1d'], max: 40 * RESOLUTIONS['1d'] }),
      outlet: fc.option(fc.constantFrom('a', 'b', 'c')),
      origin: fc.constantFrom('syn_1', 'syn_2', 'syn_3'),
      label: fc.nat({ max: 2 }),
      names: fc.uniqueArray(fc.constantFrom('Ada', 'Bo', 'Cy')),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((made) =>
    made
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, outlet, origin, label, names }): MemberInTime => ({
        ...{ at, outlet, origin, from_origin: '', source: outlet ?? '' },
        sentiment_score: label - 1,
        sentiment_label: LABELS[label] ?? '',
        entities: names.map((name) => ({ id: `ent_${name}`, name, type: 'PERSON', mention_count: 1 })),
      })),
  )

const resolutions = fc.constantFrom(...Object.values(RESOLUTIONS))

describe('the points of a story', () => {
  it('are every bucket from the first article to the last, and hold each article once', () => {
    fc.assert(
      fc.property(members, resolutions, (given, bucket_ms) => {
        const points = pointsOf(given, bucket_ms)
        const times = points.map(({ time }) => Date.parse(time))

        expect(points).toHaveLength(pointCount(given, bucket_ms))
        expect(times.every((time, i) => time % bucket_ms === 0 && time === (times[0] ?? 0) + i * bucket_ms)).toBe(true)
        for (const [i, { articles_added }] of points.entries()) {
          const from = times[i] ?? 0
          expect(articles_added).toBe(given.filter(({ at }) => at >= from && at < from + bucket_ms).length)
        }
      }),
    )
  })

  it('are the last ones where there are more than fit, as if all were told', () => {
    fc.assert(
      fc.property(members, resolutions, fc.integer({ min: 1, max: 200 }), (given, bucket_ms, most) => {
        expect(pointsOf(given, bucket_ms, most)).toEqual(pointsOf(given, bucket_ms).slice(-most))
      }),
    )
  })

  it('end with the whole story, and call each thing new once', () => {
    fc.assert(
      fc.property(members, resolutions, (given, bucket_ms) => {
        const points = pointsOf(given, bucket_ms)
        const outlets = new Set(given.flatMap(({ outlet }) => outlet ?? []))

        expect(points.at(-1)).toMatchObject({
          article_count: given.length,
          source_count: Math.max(1, outlets.size),
          origin_count: new Set(given.map(({ origin }) => origin)).size,
        })
        expect(points.flatMap(({ new_sources }) => new_sources).toSorted()).toEqual([...outlets].toSorted())
        const names = points.flatMap(({ new_entities }) => new_entities.map(({ name }) => name))
        expect(names.toSorted()).toEqual(
          [...new Set(given.flatMap(({ entities }) => entities.map(({ name }) => name)))].toSorted(),
        )
      }),
    )
  })
})
