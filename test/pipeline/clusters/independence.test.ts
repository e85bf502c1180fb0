import { expect, it } from 'vitest'
import { articlesClustered, type ArticleClustered, type Member, type MemberEntity } from '../../../src/events/ledger.ts'
import { A_DAY } from '../../builders/articles.ts'
import { aStoryArticle } from '../../builders/discourse.ts'
import { aClusteredArticle } from '../../builders/views.ts'
import { homes, viewsDatabase, type ViewsDatabaseHome } from '../views-database.ts'

const MINUTE_MS = 60_000
const { store, writer } = viewsDatabase()
const aHome = homes(store)

interface ClustersIndependenceReport extends Partial<Member> {
  readonly story?: string
  readonly id: string
  /** The text it reprints; its own by default. */
  readonly text?: string
  /** The article it quotes or rewrites. */
  readonly from?: string
}

const report = (
  { namespace }: ViewsDatabaseHome,
  minutes: number,
  { story = 'sto_1', id, text, from, ...over }: ClustersIndependenceReport,
) =>
  aClusteredArticle({
    ...{ namespace, cluster_id: story, article_id: id, action: 'joined' },
    occurred_at: A_DAY - 1_000 * MINUTE_MS + minutes * MINUTE_MS,
    origin: {
      syndication_group: `syn_${text ?? id}`,
      duplicate_of: text ?? null,
      derived_from: from ?? null,
      translation: null,
      containment: 0.4,
    },
    member: { ...aStoryArticle().member, title: id, semantic_hash: id, source: id, publisher: id, ...over },
  })

const write = async (home: ViewsDatabaseHome, ...reports: ClustersIndependenceReport[]): Promise<void> => {
  const events: ArticleClustered[] = reports.map((one, i) => report(home, i, one))
  await writer.write(articlesClustered, events)
}

const story = async (home: ViewsDatabaseHome, id = 'sto_1') => (await home.get(`/v1/clusters/${id}`)).body
const ranked = async (home: ViewsDatabaseHome) => {
  const { body } = await home.get('/v1/clusters?time_range=7d&min_articles=1&sort=coverage')
  return (body['clusters'] as { id: string; origin_count: number }[]).map(({ id, origin_count }) => [id, origin_count])
}

it('40 reprints of one wire text and two original reports are three independent sources', async () => {
  const home = await aHome()
  const reprints = Array.from({ length: 40 }, (_, i) => ({
    id: `art_${i}`,
    text: 'wire',
    publisher_family: `house ${i % 9}`,
  }))
  await write(home, ...reprints, { id: 'art_own1' }, { id: 'art_own2', publisher_family: 'house 1' })
  await write(home, ...[1, 2, 3, 4].map((n) => ({ id: `art_four_${n}`, story: 'sto_2' })))

  expect(await story(home)).toMatchObject({ article_count: 42, source_count: 42, origin_count: 3, publisher_count: 10 })
  expect(await ranked(home)).toEqual([
    ['sto_2', 4],
    ['sto_1', 3],
  ])
})

it('outlets of one owner are one independent source, unless others print the same text', async () => {
  const home = await aHome()
  await write(
    home,
    { id: 'art_1', publisher_family: 'house' },
    { id: 'art_2', publisher_family: 'house' },
    { id: 'art_3', text: 'wire', publisher_family: 'house' },
    { id: 'art_4', text: 'wire', publisher_family: 'other house' },
    { id: 'art_5', text: 'wire' },
    { id: 'art_6' },
  )

  // The owner's own two, the wire, and the last one.
  expect(await story(home)).toMatchObject({ source_count: 6, origin_count: 3, publisher_count: 4 })
  expect(await ranked(home)).toEqual([['sto_1', 3]])
})

it('a text that quotes another member is not an independent source, however long the chain', async () => {
  const home = await aHome()
  await write(
    home,
    { id: 'art_1' },
    { id: 'art_2', from: 'art_1' },
    { id: 'art_3', from: 'art_2' },
    { id: 'art_4', from: 'art_elsewhere' },
    { id: 'art_5', text: 'art_3' },
    { id: 'art_6', text: 'later', publisher_family: 'house' },
    { id: 'art_7', from: 'art_6', publisher_family: 'house' },
  )

  expect(await story(home)).toMatchObject({ article_count: 7, origin_count: 3 })
  expect(await ranked(home)).toEqual([['sto_1', 3]])
})

it('two texts that quote each other are one independent source', async () => {
  const home = await aHome()
  await write(home, { id: 'art_1', from: 'art_2' }, { id: 'art_2', from: 'art_1' })

  expect(await story(home)).toMatchObject({ origin_count: 1 })
  expect(await ranked(home)).toEqual([['sto_1', 1]])
})

it('articles without a known publisher count as one publisher', async () => {
  const home = await aHome()
  await write(home, { id: 'art_1', publisher: '', source: null, url: null })
  await write(
    home,
    { id: 'art_2', story: 'sto_2', publisher: '', source: 'The Times' },
    {
      ...{ id: 'art_3', story: 'sto_2', publisher: '', source: 'THE TIMES' },
    },
  )

  expect(await story(home)).toMatchObject({ publisher_count: 1, source_count: 1 })
  expect(await story(home, 'sto_2')).toMatchObject({ publisher_count: 1, source_count: 1 })
})

it('has the countries that two members name and the categories of a third of them', async () => {
  const home = await aHome()
  const place = (name: string, country: string | null, type: 'GPE' | 'LOC' | 'ORG' = 'GPE'): MemberEntity => ({
    ...{ entity_id: `ent_${name}`, name, type, mention_count: 1, country, sentiment_score: null },
  })
  const [oslo, bergen, lyon] = [place('Oslo', 'NO'), place('Bergen', 'NO'), place('Lyon', 'FR')]
  await write(
    home,
    { id: 'art_1', entities: [oslo, bergen, lyon], categories: ['politics', 'health'] },
    { id: 'art_2', entities: [lyon, place('Rome', 'IT'), place('The sea', null, 'LOC')], categories: ['politics'] },
    { id: 'art_3', entities: [place('Paris', 'FR'), place('Norsk', 'NO', 'ORG')], categories: [] },
    { id: 'art_4', entities: [bergen], categories: ['politics', 'finance'] },
    { id: 'art_few', story: 'sto_2', entities: [oslo, lyon], categories: ['health'] },
  )

  expect(await story(home)).toMatchObject({ geographic_spread: ['FR', 'NO'], categories: ['politics'] })
  expect(await story(home, 'sto_2')).toMatchObject({ geographic_spread: ['FR', 'NO'], categories: ['health'] })
})
