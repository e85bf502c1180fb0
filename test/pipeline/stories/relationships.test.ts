import { describe, expect, it } from 'vitest'
import type { EntityType } from '../../../src/events/articles.ts'
import type { ArticleClustered } from '../../../src/events/ledger.ts'
import { aChange, anArticle } from '../../builders/transitioned.ts'
import { storiesHomes, type StoriesHome } from './stories-home.ts'
import { viewsDatabase } from '../views-database.ts'

const { store, writer } = viewsDatabase()
const aHome = storiesHomes(store, writer)

/** An article that names entities: `Ada`, or `2016:DATE`. */
function naming(story: string, id: string, entities: readonly string[], hours = -2): ArticleClustered {
  const article = anArticle(story, id, hours)
  const named = entities.map((entity) => {
    const [name = '', type = 'PERSON'] = entity.split(':')
    return {
      entity_id: `ent_${name}`,
      name,
      type: type as EntityType,
      mention_count: 1,
      country: null,
      sentiment_score: null,
    }
  })
  return { ...article, member: { ...article.member, entities: named } }
}

async function threeStories(home: StoriesHome): Promise<void> {
  await home.articles(
    naming('a', 'a1', ['Ada', 'Bo', 'Oslo:GPE', '2016:DATE', '5 dollars:MONEY']),
    naming('a', 'a2', ['Ada', 'Sea:LOC', 'Fair:EVENT']),
    naming('b', 'b1', ['Ada', 'Oslo:GPE', 'Fair:EVENT', 'Firm:ORG', '2016:DATE', '5 dollars:MONEY'], -1),
    naming('c', 'c1', ['Ada', 'Oslo:GPE', '2016:DATE', '5 dollars:MONEY'], -1),
  )
}

describe('GET /v1/stories/relationships', () => {
  it('compares every pair by shared entities', async () => {
    const home = await aHome()
    await threeStories(home)

    expect(await home.get('/v1/stories/relationships?ids=sto_a,sto_b,sto_c')).toEqual({
      status: 200,
      link: null,
      body: {
        cluster_count: 3,
        relationships: [
          {
            source: 'sto_a',
            target: 'sto_b',
            confidence: 0.5,
            type: 'shared_entities',
            shared_count: 3,
            shared_entities: ['Ada', 'Fair', 'Oslo'],
          },
        ],
        computed_from: 'Layer 1 entities of the articles: PERSON, ORG, GPE, LOC, EVENT',
      },
    })
  })

  it('finds pairs with one shared entity, without dates and sums', async () => {
    const home = await aHome()
    await threeStories(home)
    const pairs = async (query: string) => {
      const { relationships } = (await home.get(`/v1/stories/relationships?${query}`)).body
      return (relationships as { source: string; target: string; shared_count: number; confidence: number }[]).map(
        ({ source, target, shared_count, confidence }) => [source, target, shared_count, confidence],
      )
    }

    expect(await pairs('ids=sto_c,sto_b,sto_a&min_shared=1')).toEqual([
      ['sto_b', 'sto_a', 3, 0.5],
      ['sto_c', 'sto_b', 2, 0.5],
      ['sto_c', 'sto_a', 2, 0.4],
    ])
    expect(await pairs('ids=sto_a,sto_b&min_shared=4')).toEqual([])
    expect(await pairs('ids=sto_a,sto_b&min_shared=1&as_of=2016-05-03T11:00:00Z')).toEqual([['sto_a', 'sto_b', 3, 0.5]])
  })

  it('returns every pair with `min_shared=0`', async () => {
    const home = await aHome()
    await threeStories(home)
    await home.articles(naming('mute', 'm1', []), naming('still', 's1', ['2016:DATE']))

    const { body } = await home.get('/v1/stories/relationships?ids=sto_mute,sto_a,sto_still&min_shared=0')

    const nothing = { confidence: 0, type: 'shared_entities', shared_count: 0, shared_entities: [] }
    expect(body['relationships']).toEqual([
      { source: 'sto_mute', target: 'sto_a', ...nothing },
      { source: 'sto_mute', target: 'sto_still', ...nothing },
      { source: 'sto_a', target: 'sto_still', ...nothing },
    ])
  })

  it('counts a story once, even if requested by several ids', async () => {
    const home = await aHome()
    await threeStories(home)
    await home.articles(aChange('merged', ['c', 'b'], ['c1']))

    expect((await home.get('/v1/stories/relationships?ids=sto_a,sto_c,sto_a,sto_b')).body).toMatchObject({
      cluster_count: 2,
      relationships: [{ source: 'sto_a', target: 'sto_b', shared_count: 3 }],
    })
  })

  it('names an unknown id', async () => {
    const home = await aHome()
    await threeStories(home)

    for (const query of ['ids=sto_a,sto_none', 'ids=sto_none,sto_a']) {
      expect(await home.get(`/v1/stories/relationships?${query}`)).toMatchObject({
        status: 404,
        body: { code: 'cluster_not_found', detail: 'Cluster not found: sto_none' },
      })
    }
    expect((await (await aHome()).get('/v1/stories/relationships?ids=sto_a,sto_b')).status).toBe(404)
    expect((await home.get('/v1/stories/relationships?ids=sto_a,sto_b&as_of=2016-05-03T10:30:00Z')).status).toBe(404)
  })

  it.each([
    ['ids', ''],
    ['ids', 'ids=sto_a'],
    ['ids', 'ids=sto_a,sto_a,'],
    ['ids', `ids=${Array.from({ length: 21 }, (_, i) => `sto_${i}`).join(',')}`],
    ['min_shared', 'ids=sto_a,sto_b&min_shared=-1'],
    ['min_shared', 'ids=sto_a,sto_b&min_shared=some'],
  ])('rejects an invalid %s: %s', async (path, query) => {
    const { status, body } = await (await aHome()).get(`/v1/stories/relationships?${query}`)

    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path }] })
  })
})
