import { describe, expect, it } from 'vitest'
import { articlesClustered, type ArticleClustered, type Member } from '../../../src/events/ledger.ts'
import { A_DAY } from '../../builders/articles.ts'
import { aStoryArticle } from '../../builders/discourse.ts'
import { aClusteredArticle, aStoryChange } from '../../builders/views.ts'
import { homes, viewsDatabase, type ViewsDatabaseHome } from '../views-database.ts'

const HOUR_MS = 3_600_000
const { store, writer } = viewsDatabase()
const aHome = homes(store)

/** Article `id` of story `story`, `hours` after noon of 1 May 2016. */
const BEGIN = A_DAY - 48 * HOUR_MS
const comes = (
  { namespace }: ViewsDatabaseHome,
  [story, id, hours]: readonly [string, string, number],
  member: Partial<Member> = {},
): ArticleClustered =>
  aClusteredArticle({
    ...{ namespace, cluster_id: story, article_id: id, occurred_at: BEGIN + hours * HOUR_MS },
    action: story === `sto_${id.slice(4)}` ? 'opened' : 'joined',
    member: { ...aStoryArticle().member, title: id, semantic_hash: id, source: id, entities: [], ...member },
  })

const named = (name: string, mention_count = 1) => ({
  ...{ entity_id: `ent_${name}`, name, type: 'PERSON' as const, mention_count, country: null, sentiment_score: null },
})

describe('the evolution of a story', () => {
  const evolution = (home: ViewsDatabaseHome, search = '', id = 'sto_a') =>
    home.get(`/v1/clusters/${id}/evolution${search === '' ? '' : `?${search}`}`)

  it('has a point for each bucket, with new sources and entities', async () => {
    const home = await aHome()
    await writer.write(articlesClustered, [
      comes(home, ['sto_a', 'art_a', 0], {
        entities: [named('Ada', 2), named('Bo', 5)],
        ...{ sentiment_score: 0.5, sentiment_label: 'positive' },
      }),
      comes(home, ['sto_a', 'art_b', 1], { source: 'ART_A', semantic_hash: 'art_a', sentiment_score: 0.1 }),
      comes(home, ['sto_c', 'art_c', 30], { entities: [named('Ada'), named('Cy')], sentiment_label: 'negative' }),
      aStoryChange({
        ...{ namespace: home.namespace, action: 'merged', to: 'sto_a', occurred_at: BEGIN + 31 * HOUR_MS },
        ...{ from_cluster_id: 'sto_c', article_ids: ['art_c'] },
      }),
    ])

    const { status, body } = await evolution(home)
    expect(status).toBe(200)
    expect(body).toEqual({
      cluster_id: 'sto_a',
      resolution: '1d',
      points: [
        {
          time: '2016-05-01T00:00:00.000Z',
          ...{ articles_added: 2, article_count: 2, source_count: 1, origin_count: 1 },
          new_sources: ['art_a'],
          new_entities: [
            { id: 'ent_Bo', name: 'Bo', type: 'PERSON' },
            { id: 'ent_Ada', name: 'Ada', type: 'PERSON' },
          ],
          sentiment: { avg: 0.3, distribution: { positive: 1, neutral: 1, negative: 0 } },
        },
        {
          time: '2016-05-02T00:00:00.000Z',
          ...{ articles_added: 1, article_count: 3, source_count: 2, origin_count: 2 },
          new_sources: ['art_c'],
          new_entities: [{ id: 'ent_Cy', name: 'Cy', type: 'PERSON' }],
          sentiment: { avg: 0, distribution: { positive: 0, neutral: 0, negative: 1 } },
        },
      ],
      truncated: false,
      events: [
        { time: '2016-05-01T12:00:00.000Z', type: 'opened', other_cluster_id: null, direction: null, articles: 1 },
        { time: '2016-05-02T19:00:00.000Z', type: 'merged', other_cluster_id: 'sto_c', direction: 'in', articles: 1 },
      ],
    })
    expect((await evolution(home, '', 'sto_c')).body).toEqual(body)
  })

  it('fills gaps, accepts `as_of`, and is limited in length', async () => {
    const home = await aHome()
    await writer.write(articlesClustered, [comes(home, ['sto_a', 'art_a', -1_000]), comes(home, ['sto_a', 'art_b', 1])])
    const points = (body: Record<string, unknown>) => body['points'] as { articles_added: number }[]

    const daily = points((await evolution(home)).body)
    expect(daily).toHaveLength(43)
    expect(daily.slice(1, -1).every(({ articles_added }) => articles_added === 0)).toBe(true)
    expect(daily.at(20)).toMatchObject({ article_count: 1, sentiment: { avg: null } })
    expect(points((await evolution(home, 'resolution=6h')).body)).toHaveLength(168)
    expect(await evolution(home, 'resolution=1h')).toMatchObject({
      status: 422,
      body: {
        code: 'validation_failed',
        errors: [{ path: 'resolution', message: expect.stringMatching(/ask for 6h$/) as string }],
      },
    })
    expect(points((await evolution(home, 'resolution=1h&as_of=2016-05-01')).body)).toHaveLength(1)
    expect((await evolution(home, 'as_of=2015-01-01')).body).toMatchObject({ code: 'cluster_not_found' })
    expect((await evolution(home, 'resolution=1m')).status).toBe(422)
  })
})

describe('the evolution of a story over many years', () => {
  it('covers its last thousand days, with counts from its beginning', async () => {
    const home = await aHome()
    await writer.write(articlesClustered, [
      comes(home, ['sto_a', 'art_a', -1_500 * 24], { entities: [named('Ada')] }),
      comes(home, ['sto_a', 'art_b', -1_100 * 24]),
      comes(home, ['sto_a', 'art_c', 1], { source: 'art_a', entities: [named('Ada')] }),
    ])

    const { status, body } = await home.get('/v1/clusters/sto_a/evolution')

    const points = body['points'] as { time: string }[]
    expect({ status, truncated: body['truncated'] }).toEqual({ status: 200, truncated: true })
    expect(points).toHaveLength(1_000)
    expect(points[0]).toMatchObject({ time: '2013-08-06T00:00:00.000Z', articles_added: 0, article_count: 2 })
    expect(points.at(-1)).toMatchObject({ article_count: 3, source_count: 2, new_sources: [], new_entities: [] })
    for (const resolution of ['1h', '6h']) {
      expect(await home.get(`/v1/clusters/sto_a/evolution?resolution=${resolution}`)).toMatchObject({
        status: 422,
        body: { errors: [{ message: expect.stringMatching(/ask for 1d$/) as string }] },
      })
    }
  })
})

describe('the summary of a story', () => {
  it('quotes its members verbatim, each independent source once', async () => {
    const home = await aHome()
    const { namespace } = home
    const lead = 'The harbour bridge in Oslo will close for two years of repairs, the city council decided on Tuesday.'
    const texts = {
      art_a: [
        `OSLO (AP) — ${lead}`,
        'Sign up for our newsletter to read more news like this every morning.',
        'He laughed.',
      ],
      art_b: [lead, 'Ferries will carry up to 9,000 passengers a day while engineers replace the rusted cables.'],
      art_c: ['Inspectors told the city council of Oslo in March that 40 cables under the bridge had rusted.'],
    }
    for (const [i, [article_id, said]] of Object.entries(texts).entries()) {
      const text = said.join(' ')
      const spans = said.map((sentence) => {
        const start = text.indexOf(sentence)
        return { start, end: start + sentence.length, sentiment_score: 0 }
      })
      const article = { namespace, article_id, text, content_hash: `hash ${i}` }
      await writer.scored(article)
      await writer.analyzed({ ...article, sentences: spans })
      const semantic_hash = article_id === 'art_b' ? 'art_a' : article_id
      await writer.clustered({ ...comes(home, ['sto_a', article_id, i], { semantic_hash }), content_hash: `hash ${i}` })
    }

    const { summary } = (await home.get('/v1/clusters/sto_a')).body
    expect(summary).toEqual([
      {
        ...{ sentence: lead, article_id: 'art_a', sentence_index: 0 },
        dates: [{ text: 'Tuesday', start: '2016-05-03', end: '2016-05-03' }],
      },
      { sentence: texts.art_c[0], article_id: 'art_c', sentence_index: 0, dates: [] },
    ])
  })
})
