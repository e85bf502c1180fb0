import fc from 'fast-check'
import { expect, it } from 'vitest'
import { articlesAnalyzed, type ArticleAnalyzed, type EntityType } from '../../../src/events/articles.ts'
import { countIndependentSources } from '../../../src/domain/trends/accounts.ts'
import { entityVelocity } from '../../../src/domain/trends/velocity.ts'
import { entityTrends, trendingEntities } from '../../../src/views/trends/entity-trends.ts'
import { anAnalyzedArticle, anEntity } from '../../builders/views.ts'
import { sized } from '../../builders/sizes.ts'
import { counting, groupBy, namedIn, sum, type CountedMention } from '../count-by-hand.ts'
import { aNamespace, viewsDatabase } from '../views-database.ts'

const { store, writer } = viewsDatabase()

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FIRST = Date.UTC(2016, 3, 1)
const NAMES: readonly (readonly [EntityType, string])[] = [
  ['PERSON', 'May'],
  ['DATE', 'May'],
  ['GPE', 'Oslo'],
  ['ORG', 'Acme'],
]
const TYPES = ['PERSON', 'ORG', 'GPE', 'LOC', 'EVENT']

/** One analysis in the log, small enough to read in a counterexample. */
const aSaying = fc.record({
  article: fc.nat(15),
  revision: fc.nat(1),
  direct: fc.boolean(),
  hours: fc.integer({ min: 0, max: 14 * 24 }).map((hours) => hours - (hours % 4)),
  outlet: fc.constantFrom(null, 'House A', 'house a', 'House B'),
  text: fc.constantFrom('x', 'y', 'z'),
  mentions: fc.tuple(...NAMES.map(() => fc.oneof(fc.nat(3), fc.constantFrom(10, 40)))),
})
type TrendSaying = typeof aSaying extends fc.Arbitrary<infer One> ? One : never

const anAnalysis = (namespace: string, said: TrendSaying): ArticleAnalyzed =>
  anAnalyzedArticle({
    ...{ namespace, article_id: `art_${said.article}`, content_hash: `hash_${said.revision}`, direct: said.direct },
    ...{ occurred_at: FIRST + said.hours * HOUR_MS, url: null, source: said.outlet, semantic_hash: said.text },
    entities: NAMES.flatMap(([type, name], i) =>
      said.mentions[i] === 0 ? [] : [anEntity(name, type, [...Array(said.mentions[i]).keys()])],
    ),
  })

const dayOf = (at: number): number => Math.floor(at / DAY_MS)
const timeOfDay = (at: number): number => at - dayOf(at) * DAY_MS
const mentionsOf = (named: readonly CountedMention[]): number => sum(named.map(({ entity }) => entity.mentions.length))

function byHand(log: readonly ArticleAnalyzed[], namespace: string, as_of: number) {
  const firsts = [...groupBy(log, (one) => `${one.article_id} ${one.content_hash} ${one.direct}`).values()]
  const days = [
    ...new Set(
      firsts.flatMap(([one]) => (one !== undefined && one.occurred_at <= as_of ? [dayOf(one.occurred_at)] : [])),
    ),
  ]
  const [latest = 0, ...prior] = days.sort((a, b) => b - a).slice(0, 8)
  const counted = counting(log, namespace, as_of)
  const recent = namedIn(counted).filter(({ at }) => [latest, ...prior].includes(dayOf(at)))
  return [...groupBy(recent, ({ entity }) => entity.entity_id)].flatMap(([entity_id, named]) => {
    const today = named.filter(({ at }) => dayOf(at) === latest)
    const before = named.filter(({ at }) => dayOf(at) !== latest)
    const articles = new Set(today.map(({ article_id }) => article_id))
    const accounts = counted
      .filter(({ article_id }) => articles.has(article_id))
      .map(({ occurred_at: at, article_id, semantic_hash: text, source }) => ({
        ...{ at, article_id, text, house: source?.toLowerCase() ?? null },
      }))
    const compared = before.filter(({ at }) => latest !== dayOf(as_of) || timeOfDay(at) <= timeOfDay(as_of))
    const measured = { mentions: mentionsOf(today), origins: countIndependentSources(accounts) }
    const days_of_history = new Set(before.map(({ at }) => dayOf(at))).size
    const shown = {
      ...entityVelocity(measured, { mentions: mentionsOf(compared), days: prior.length, days_of_history }),
      ...{ entity_id, ...measured, low_support: measured.origins < 3 || days_of_history < 3 },
      day_complete: latest !== dayOf(as_of),
    }
    return named[0]?.entity.type === 'DATE' ? [] : [shown]
  })
}

it('entity trends equal a count over the log', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aSaying, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 0, max: 15 * 24 }),
      fc.boolean(),
      fc.record({ supported: fc.boolean(), limit: fc.integer({ min: 1, max: 5 }) }),
      async (said, hours, isRepeated, { supported, limit }) => {
        const namespace = aNamespace()
        const log = said.map((one) => anAnalysis(namespace, one))
        await writer.write(articlesAnalyzed, log, 0)
        if (isRepeated) await writer.write(articlesAnalyzed, log.slice(0, 20), 0)
        const as_of = FIRST + hours * HOUR_MS

        const params = { namespace, as_of, types: TYPES }
        const found = await entityTrends(store, { ...params, min_velocity: 0, supported: false, limit: 100 })
        const expected = byHand(log, namespace, as_of).sort(
          (a, b) => b.velocity - a.velocity || b.mentions - a.mentions || (a.entity_id < b.entity_id ? -1 : 1),
        )
        expect(found).toMatchObject(expected)
        expect(found).toHaveLength(expected.length)
        // The store computes the velocity itself, for sorting: equal to the last digit.
        for (const above of [1.5, ...expected.map(({ velocity }) => velocity)]) {
          expect(await trendingEntities(store, { ...params, above })).toBe(
            expected.filter(({ velocity }) => velocity > above).length,
          )
          expect(await entityTrends(store, { ...params, min_velocity: above, supported, limit })).toEqual(
            found.filter((one) => one.velocity >= above && !(supported && one.low_support)).slice(0, limit),
          )
        }
      },
    ),
    { numRuns: sized(8, 25) },
  )
})
