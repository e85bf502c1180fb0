import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { articlesAnalyzed, type ArticleAnalyzed, type Entity, type EntityType } from '../../../src/events/articles.ts'
import { entityId } from '../../../src/events/ids.ts'
import type { Store } from '../../../src/ports/store.ts'
import { entityDetail } from '../../../src/views/entities/detail.ts'
import { listEntities } from '../../../src/views/entities/list.ts'
import { entitySeries } from '../../../src/views/entities/series.ts'
import { A_DAY } from '../../builders/articles.ts'
import { anAnalyzedArticle } from '../../builders/views.ts'
import type { Resolution } from '../../../src/domain/days.ts'
import {
  bucketOf,
  bucketsBetween,
  counting,
  figures,
  groupBy,
  namedIn,
  newestFirst,
  sum,
  type CountedMention,
} from '../count-by-hand.ts'
import { sized } from '../../builders/sizes.ts'
import { aNamespace, viewsDatabase } from '../views-database.ts'

const { store, writer } = viewsDatabase()

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Two entities with one name, two that differ by case. */
const NAMES: readonly (readonly [EntityType, string])[] = [
  ['PERSON', 'May'],
  ['DATE', 'May'],
  ['GPE', 'Oslo'],
  ['GPE', 'OSLO'],
  ['ORG', 'Acme'],
]

/** One analysis in the log, small enough to read in a counterexample. */
interface SayingSample {
  readonly whose: number
  readonly article: number
  readonly revision: number
  readonly direct: boolean
  readonly dated: boolean
  readonly at: number
  /** Sentiments of the mentions of each of `NAMES`, in twentieths. */
  readonly mentions: readonly (readonly number[])[]
}

const MIDNIGHT = Math.floor(A_DAY / DAY_MS) * DAY_MS
const aMinute = fc.integer({ min: -9 * 24 * 60, max: 60 }).map((minutes) => A_DAY + minutes * MINUTE_MS)
/** Few distinct times, so that articles and window limits coincide. */
const aMidnight = fc.integer({ min: -3, max: 1 }).map((days) => MIDNIGHT + days * DAY_MS)

const aSaying: fc.Arbitrary<SayingSample> = fc.record({
  whose: fc.nat(1),
  article: fc.nat(3),
  revision: fc.nat(2),
  direct: fc.boolean(),
  dated: fc.boolean(),
  at: fc.oneof({ weight: 2, arbitrary: aMidnight }, { weight: 1, arbitrary: aMinute }),
  mentions: fc.tuple(...NAMES.map(() => fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 3 }))),
})

const aLog = fc.array(aSaying, { minLength: 1, maxLength: 24 })

const anAnalysis = (said: SayingSample, namespaces: readonly string[]): ArticleAnalyzed =>
  anAnalyzedArticle({
    namespace: namespaces[said.whose] ?? '',
    article_id: `art_${said.article}`,
    content_hash: `hash_${said.revision}`,
    direct: said.direct,
    dated: said.dated,
    published_date: said.dated ? said.at : null,
    occurred_at: said.at,
    entities: NAMES.flatMap(([type, name], i) => anEntityWith(type, name, said.mentions[i] ?? [])),
  })

function anEntityWith(type: EntityType, name: string, twentieths: readonly number[]): Entity[] {
  const mentions = twentieths.map((sentiment, i) => ({
    ...{ surface: i === 0 ? name : `the ${name}`, start: i * 20, end: i * 20 + 5, sentence: 0 },
    sentiment_score: sentiment / 20,
  }))
  const known = { wikidata_id: null, place: null, time: null, money: null }
  return mentions.length === 0 ? [] : [{ entity_id: entityId(type, name), name, type, ...known, mentions }]
}

interface Writing {
  /** Writes the first batch again, as if the view's process had been killed in between. */
  readonly repeats?: boolean
  /** Runs between the batches. */
  readonly meanwhile?: () => Promise<unknown>
}

/** Written in two batches. */
async function write(
  log: readonly ArticleAnalyzed[],
  { repeats = true, meanwhile = () => Promise.resolve() }: Writing = {},
): Promise<void> {
  const half = Math.ceil(log.length / 2)
  await writer.write(articlesAnalyzed, log.slice(0, half), 0)
  await meanwhile()
  await writer.write(articlesAnalyzed, log.slice(half), half)
  if (repeats) await writer.write(articlesAnalyzed, log.slice(0, half), 0)
}

const noting = (queries: string[]): Store => ({
  ...store,
  query: (query) => {
    queries.push(query.name)
    return store.query(query)
  },
})

const WINDOWS = { '1h': HOUR_MS, '6h': 6 * HOUR_MS, '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS }

const aQuestion = fc.record({
  as_of: fc.oneof(
    { weight: 3, arbitrary: aMidnight },
    { weight: 1, arbitrary: aMidnight.map((midnight) => midnight - 1) },
    { weight: 1, arbitrary: aMinute },
  ),
  window_ms: fc.constantFrom(...Object.values(WINDOWS)),
  resolution: fc.constantFrom<Resolution>('1h', '6h', '1d'),
  entity: fc.constantFrom('may', 'OSLO', 'Acme', entityId('GPE', 'Oslo')),
  type: fc.constantFrom(null, 'PERSON', 'GPE'),
  listed: fc.record({
    part: fc.constantFrom(null, 'os', 'MAY'),
    types: fc.constantFrom(['PERSON', 'ORG', 'GPE', 'LOC', 'EVENT', 'DATE', 'MONEY'], ['GPE', 'ORG']),
  }),
})

const TYPES = ['PERSON', 'ORG', 'GPE', 'LOC', 'EVENT', 'DATE', 'MONEY']

const isMeant = ({ entity }: CountedMention, name: string, type: string | null): boolean =>
  (entity.entity_id === name || entity.name.toLowerCase() === name.toLowerCase()) &&
  (type === null || entity.type === type)

const RUNS = sized(10, 30)

it('timeline, sentiment, list and detail equal a count over the log', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(aLog, aQuestion, fc.boolean(), async (said, question, repeats) => {
      const { as_of, window_ms, resolution, entity, type, listed } = question
      const namespaces = [aNamespace(), aNamespace()]
      const log = said.map((one) => anAnalysis(one, namespaces))
      const queries: string[] = []
      const noted = noting(queries)
      const listOf = (namespace: string) =>
        listEntities(noted, {
          ...{ namespace, as_of, as_of_given: true, window_ms, query: listed.part, types: listed.types },
          ...{ min_mentions: 2, limit: 100, offset: 0, cursor: undefined, max_article_ids: 2 },
        })
      const keys = log.map(({ namespace, article_id, content_hash, direct }) =>
        JSON.stringify([namespace, article_id, content_hash, direct]),
      )
      const hasRepeats = repeats || new Set(keys).size < keys.length
      // what a list learns of the first batch must not hide the second one
      await write(log, { repeats, meanwhile: () => Promise.all(namespaces.map(listOf)) })

      for (const namespace of namespaces) {
        const all = namedIn(counting(log, namespace, as_of))
        const inWindow = all.filter(({ at }) => at > as_of - window_ms)
        const params = { namespace, entity, type, types: TYPES, as_of }

        const series = await entitySeries(store, { ...params, window_ms, resolution, max_article_ids: 9 })
        const meant = inWindow.filter((one) => isMeant(one, entity, type))
        const known = all.some((one) => isMeant(one, entity, type))
        expect(series === null).toBe(!known)
        if (series !== null) {
          const { buckets, mention_count, article_count, avg_sentiment } = series
          expect(figures(meant)).toMatchObject({ mention_count, article_count })
          expect(avg_sentiment).toEqual(figures(meant).avg_sentiment)
          expect(buckets).toEqual(
            bucketsBetween(as_of - window_ms, as_of, resolution).map((date) => {
              const here = meant.filter(({ at }) => bucketOf(at, resolution) === date)
              return { date, ...figures(here), article_ids: newestFirst(here) }
            }),
          )
        }

        const list = await listOf(namespace)
        if (!hasRepeats) expect(queries.join(' ')).not.toMatch(/entities\.page( |_short|$)/) // for repeated rows only
        const expected = [...groupBy(inWindow, (one) => one.entity.entity_id)]
          .map(([id, of]) => ({
            ...{ id, name: of[0]?.entity.name, type: of[0]?.entity.type },
            mention_count: figures(of).mention_count,
            article_count: of.length,
            first_seen: new Date(Math.min(...of.map(({ at }) => at))).toISOString(),
            last_seen: new Date(Math.max(...of.map(({ at }) => at))).toISOString(),
            article_ids: newestFirst(of).slice(0, 2),
          }))
          .filter(({ mention_count }) => mention_count >= 2)
          .filter((one) => listed.types.some((type) => type === one.type))
          .filter(({ name }) => name?.toLowerCase().includes(listed.part?.toLowerCase() ?? ''))
          .sort((a, b) => b.mention_count - a.mention_count || (a.id < b.id ? -1 : 1))
        expect(list).toEqual({ entities: expected, total: expected.length, next_cursor: null })

        const id = entityId('PERSON', 'May')
        const detail = await entityDetail(store, { ...params, entity: id, type: null })
        const own = all.filter((one) => one.entity.entity_id === id)
        expect(detail === null).toBe(own.length === 0)
        if (detail !== null) {
          const { mention_count, article_count, sentiment, related_entities } = detail
          const { avg_sentiment, distribution, ...counts } = figures(own)
          expect({ mention_count, article_count }).toEqual(counts)
          expect(sentiment).toEqual({ avg: avg_sentiment, distribution })
          expect(sum(detail.sentiment_timeline.map((day) => day.article_count))).toBe(own.length)
          expect(detail.articles.map(({ article_id }) => article_id)).toEqual(newestFirst(own))
          const articles = new Set(own.map(({ article_id }) => article_id))
          const together = (other: string): number =>
            all.filter((one) => one.entity.entity_id === other && articles.has(one.article_id)).length
          const neighbours = NAMES.filter(([of]) => of !== 'DATE')
            .map(([of, name]) => ({ id: entityId(of, name), co_mentions: together(entityId(of, name)) }))
            .filter((other) => other.id !== id && other.co_mentions > 0)
            .sort((a, b) => b.co_mentions - a.co_mentions || (a.id < b.id ? -1 : 1))
          const strongest = neighbours[0]?.co_mentions ?? 1
          expect(related_entities).toMatchObject(
            neighbours.map((other) => ({
              ...other,
              strength: expect.closeTo(other.co_mentions / strongest, 5) as number,
            })),
          )
        }
      }
    }),
    { numRuns: RUNS },
  )
})

const Aggregate = z.object({
  entity_id: z.string(),
  bucket: z.string(),
  mention_count: z.number(),
  article_count: z.number(),
  avg_sentiment: z.number(),
  positive: z.number(),
  neutral: z.number(),
  negative: z.number(),
})

it.each([
  ['entity_days', 'toString(day)', '1d'],
  ['entity_hours', "concat(formatDateTime(hour, '%Y-%m-%dT%H:%i:%S', 'UTC'), '.000Z')", '1h'],
] as const)('%s equals a count over the log', { timeout: 600_000 }, async (view, bucket, resolution) => {
  await fc.assert(
    fc.asyncProperty(aLog, async (said) => {
      const namespaces = [aNamespace(), aNamespace()]
      const log = said.map((one) => anAnalysis(one, namespaces))
      await write(log)

      for (const namespace of namespaces) {
        const rows = await store.query({
          name: 'test.aggregates',
          sql: `SELECT entity_id, ${bucket} AS bucket, mention_count, article_count, avg_sentiment, positive, neutral, negative
            FROM ${view} WHERE namespace = {namespace: String} ORDER BY entity_id, bucket`,
          params: { namespace },
          parse: (row) => Aggregate.parse(row),
        })
        const all = namedIn(counting(log, namespace, Number.POSITIVE_INFINITY))
        const expected = [
          ...groupBy(all, ({ entity, at }) => JSON.stringify([entity.entity_id, bucketOf(at, resolution)])),
        ]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, of]) => {
            const [entity_id, date] = z.tuple([z.string(), z.string()]).parse(JSON.parse(key))
            const { distribution, ...rest } = figures(of)
            return { entity_id, bucket: date, ...rest, ...distribution }
          })
        expect(rows).toEqual(expected)
      }
    }),
    { numRuns: RUNS / 2 },
  )
})
