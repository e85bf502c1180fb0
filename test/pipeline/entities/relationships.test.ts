import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { articlesAnalyzed, type ArticleAnalyzed, type Entity } from '../../../src/events/articles.ts'
import { entityId } from '../../../src/events/ids.ts'
import { entityNetwork } from '../../../src/views/entities/entity-network.ts'
import { entityRelationships } from '../../../src/views/entities/entity-relationships.ts'
import { A_DAY } from '../../builders/articles.ts'
import { anAnalyzedArticle } from '../../builders/views.ts'
import { sized } from '../../builders/sizes.ts'
import { aNamespace, homes, viewsDatabase, type ViewsDatabaseHome } from '../views-database.ts'
import { counting } from '../count-by-hand.ts'

const { store, writer } = viewsDatabase()
const aHome = homes(store)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const TYPES = ['PERSON', 'ORG', 'GPE', 'LOC', 'EVENT']

/** An article of sentences with names in brackets; `[2016:DATE]` is a date. */
function anArticle(sentences: readonly string[], over: Partial<ArticleAnalyzed> = {}): ArticleAnalyzed {
  let text = ''
  const entities = new Map<string, Entity>()
  const spans = sentences.map((sentence, i) => {
    const start = text.length
    for (const part of sentence.split(/(\[[^\]]+\])/)) {
      const [, name = '', type = 'PERSON'] = /^\[([^:\]]+):?(\w*)\]$/.exec(part) ?? []
      if (name !== '') addMention(entities, { name, type: type === 'DATE' ? 'DATE' : 'PERSON', at: text.length, i })
      text += name === '' ? part : name
    }
    const end = text.length
    text += ' '
    return { start, end, sentiment_score: 0.1 * (i + 1) }
  })
  return anAnalyzedArticle({ text, sentences: spans, entities: [...entities.values()], ...over })
}

interface Mentioned {
  readonly name: string
  readonly type: 'PERSON' | 'DATE'
  readonly at: number
  readonly i: number
}

function addMention(entities: Map<string, Entity>, { name, type, at, i }: Mentioned): void {
  const mention = { surface: name, start: at, end: at + name.length, sentence: i, sentiment_score: 0 }
  const known = entities.get(name)
  entities.set(name, {
    ...{ entity_id: entityId(type, name), name, type },
    ...{ wikidata_id: null, place: null, time: null, money: null },
    mentions: [...(known?.mentions ?? []), mention],
  })
}

const NAMES = ['Ada', 'Bo', 'Cy', 'Di', 'Ed', 'Flo']
const id = (name: string): string => entityId('PERSON', name)

/** One analysis in the log, small enough to read in a counterexample. */
const aSaying = fc.record({
  whose: fc.nat(1),
  article: fc.nat(7),
  revision: fc.nat(1),
  direct: fc.boolean(),
  hours: fc.integer({ min: -60, max: 2 }),
  named: fc.subarray(NAMES),
})

const aQuestion = fc.record({
  hours: fc.integer({ min: -50, max: 2 }),
  window_ms: fc.constantFrom(HOUR_MS, 6 * HOUR_MS, DAY_MS, 7 * DAY_MS),
  depth: fc.integer({ min: 1, max: 3 }),
  min_strength: fc.constantFrom(0, 0.3, 0.5, 1),
  max_nodes: fc.integer({ min: 1, max: 6 }),
})

/** The articles of the window, as the entities that each names. */
const namedIn = (log: readonly ArticleAnalyzed[], from: number): string[][] =>
  log
    .filter(({ occurred_at }) => occurred_at > from)
    .map(({ entities }) => entities.filter(({ type }) => type !== 'DATE').map(({ entity_id }) => entity_id))

const together = (articles: readonly string[][], one: string, other: string): number =>
  one === other ? 0 : articles.filter((ids) => ids.includes(one) && ids.includes(other)).length

it('an analysis that was repeated counts once, and as it was first', async () => {
  const namespace = aNamespace()
  const revision = { namespace, article_id: 'art_1', content_hash: 'hash_1', direct: false, occurred_at: A_DAY }
  const query = { namespace, as_of: A_DAY, window_ms: DAY_MS, depth: 1, min_strength: 0, max_nodes: 6 }
  const request = { ...query, entity: 'ada', type: null, types: TYPES }
  await writer.write(articlesAnalyzed, [anArticle(['[Ada] met [Bo].', '[Ada] left [Bo].'], revision)])
  await writer.write(articlesAnalyzed, [anArticle(['[Ada] met [Bo] and [Cy].'], revision)])

  for (const merged of [false, true]) {
    if (merged) await store.command('OPTIMIZE TABLE analyzed_articles FINAL')
    const found = await entityRelationships(store, { ...request, relation: null })
    expect(found?.relationships.map(({ target_entity, co_mentions }) => [target_entity.name, co_mentions])).toEqual([
      ['Bo', 1],
    ])
    const network = await entityNetwork(store, request)
    expect(network?.nodes.map(({ name, mentions }) => [name, mentions])).toEqual([
      ['Ada', 2],
      ['Bo', 2],
    ])
  }
})

it('counts, strengths, depths and edges equal a count over the log', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aSaying, { minLength: 1, maxLength: 16 }), aQuestion, async (said, params) => {
      const namespaces = [aNamespace(), aNamespace()]
      const log = said.map(({ whose, article, revision, direct, hours, named }) =>
        anArticle([`In [2016:DATE] came ${named.map((name) => `[${name}]`).join(', ')}.`], {
          ...{ namespace: namespaces[whose] ?? '', article_id: `art_${article}`, content_hash: `hash_${revision}` },
          ...{ direct, occurred_at: A_DAY + hours * HOUR_MS },
        }),
      )
      await writer.write(articlesAnalyzed, log, 0)
      await writer.write(articlesAnalyzed, log.slice(0, 3), 0) // as if the view's process had been killed in between

      for (const namespace of namespaces) {
        const as_of = A_DAY + params.hours * HOUR_MS
        const counted = counting(log, namespace, as_of)
        const articles = namedIn(counted, as_of - params.window_ms)
        const query = { ...params, namespace, as_of, entity: 'ada', type: null, types: TYPES }
        const [found, network] = await Promise.all([
          entityRelationships(store, { ...query, relation: null }),
          entityNetwork(store, query),
        ])

        const isKnown = counted.some(({ entities }) => entities.some(({ name }) => name === 'Ada'))
        expect([found === null, network === null]).toEqual([!isKnown, !isKnown])
        if (found === null || network === null) continue
        const ids = NAMES.map(id)
        const most = Math.max(0, ...ids.flatMap((one) => ids.map((other) => together(articles, one, other))))
        const isEdge = (one: string, other: string) =>
          together(articles, one, other) > 0 && together(articles, one, other) >= params.min_strength * most - 1e-9
        expect([found.max_co_mentions, network.max_co_mentions]).toEqual([most, most])
        expect([found.truncated, found.entity.id]).toEqual([false, id('Ada')])

        let [last, seen] = [[id('Ada')], new Set([id('Ada')])]
        for (let depth = 1; depth <= params.depth; depth += 1) {
          const next = ids.filter((other) => !seen.has(other) && last.some((one) => isEdge(one, other)))
          const shown = found.relationships.filter((one) => one.depth === depth)
          expect(shown.map(({ target_entity }) => target_entity.id).sort()).toEqual(next.sort())
          for (const { target_entity, via, strength, co_mentions } of shown) {
            expect(last).toContain(via)
            expect(co_mentions).toBe(Math.max(...last.map((one) => together(articles, one, target_entity.id))))
            expect(co_mentions).toBe(together(articles, via, target_entity.id))
            expect(strength).toBeCloseTo(co_mentions / most, 5)
          }
          seen = new Set([...seen, ...next])
          last = next
        }

        const kept = network.nodes.map((node) => node.id)
        expect(kept.length).toBe(Math.min(params.max_nodes, seen.size))
        expect(network.truncated).toBe(seen.size > kept.length)
        expect(network.edges.map(({ source, target }) => [source, target].sort().join(' ')).sort()).toEqual(
          kept.flatMap((a) => kept.filter((b) => a < b && isEdge(a, b)).map((b) => `${a} ${b}`)).sort(),
        )
        for (const { source, target, co_mentions } of network.edges) {
          expect(co_mentions).toBe(together(articles, source, target))
        }
      }
    }),
    { numRuns: sized(8, 25) },
  )
})

type RelationshipsBody = Record<string, unknown>

const analyzed = async (...articles: ArticleAnalyzed[]): Promise<void> => {
  await writer.write(articlesAnalyzed, articles)
}

const relationshipsOf = async (home: ViewsDatabaseHome, query: string): Promise<RelationshipsBody[]> =>
  ((await home.get(`/v1/relationships?${query}`)).body['relationships'] ?? []) as RelationshipsBody[]

const nameOf = ({ target_entity }: RelationshipsBody): string => (target_entity as { name: string }).name

describe('GET /v1/relationships', () => {
  it('quotes sentences, newest first, reprints once, with the acting entity', async () => {
    const home = await aHome('professional')
    const { namespace } = home
    const analysis = (article_id: string, sentences: string[], hours: number) =>
      anArticle(sentences, { namespace, article_id, content_hash: article_id, occurred_at: A_DAY - hours * HOUR_MS })
    await analyzed(
      analysis('art_1', ['Café 😀 [Ada] sued [Bo] over [2016:DATE].'], 5),
      analysis('art_2', ['[Bo] was sued by [Ada].', '[Cy] left.'], 4),
      analysis('art_3', ['[Bo] was sued by [Ada].'], 3),
      analysis('art_4', ['[Ada] and [Bo] were there.'], 2),
    )
    for (const article_id of ['art_2', 'art_3']) {
      const origin = {
        syndication_group: 'syn_b',
        duplicate_of: null,
        derived_from: null,
        translation: null,
        containment: 0,
      }
      await writer.clustered({
        namespace,
        article_id,
        content_hash: article_id,
        occurred_at: A_DAY - 4 * HOUR_MS,
        origin,
      })
    }

    const { status, body } = await home.get('/v1/relationships?entity=ADA&min_strength=0.1&time_range=24h')

    expect(status).toBe(200)
    expect(body).toMatchObject({
      entity: { id: id('Ada'), name: 'Ada', type: 'PERSON' },
      ...{ max_co_mentions: 4, time_range: '24h', truncated: false, graph_as_of: expect.any(String) as string },
    })
    expect(body['relationships']).toEqual([
      {
        target_entity: { id: id('Bo'), name: 'Bo', type: 'PERSON' },
        ...{ strength: 1, type: 'adversarial', co_mentions: 4, origins: 3, sentiment: 0.1, direction: 'outbound' },
        contexts: ['Bo was sued by Ada.', 'Café 😀 Ada sued Bo over 2016.'],
        context_article_ids: ['art_3', 'art_1'],
      },
      {
        target_entity: { id: id('Cy'), name: 'Cy', type: 'PERSON' },
        ...{ strength: 0.25, type: 'co_mention', co_mentions: 1, origins: 1, sentiment: 0.1, direction: null },
        ...{ contexts: [], context_article_ids: [] },
      },
    ])
  })

  it('filters by type and returns the contexts of that type', async () => {
    const home = await aHome('professional')
    await analyzed(
      anArticle(['[Ada] sued [Bo].', '[Bo] praised [Ada].'], { namespace: home.namespace, article_id: 'art_1' }),
      anArticle(['[Ada] sued [Bo].', '[Cy] met [Ada] and [Di] slept.'], {
        namespace: home.namespace,
        article_id: 'art_2',
      }),
    )
    const of = async (type: string) =>
      (await relationshipsOf(home, `entity=Ada&min_strength=0&type=${type}`)).map((one) => [
        nameOf(one),
        one['type'],
        one['contexts'],
        one['direction'],
      ])

    expect(await of('adversarial')).toEqual([['Bo', 'adversarial', ['Ada sued Bo.'], 'outbound']])
    expect(await of('collaborative')).toEqual([
      ['Bo', 'collaborative', ['Bo praised Ada.'], 'inbound'],
      ['Cy', 'collaborative', ['Cy met Ada and Di slept.'], 'inbound'],
    ])
    expect(await of('causal')).toEqual([])
    expect(await of('co_mention')).toEqual([['Di', 'co_mention', ['Cy met Ada and Di slept.'], null]])
  })

  it('drops what a newer revision no longer states, and keeps it at an earlier `as_of`', async () => {
    const home = await aHome('professional')
    const article = { namespace: home.namespace, article_id: 'art_1' }
    await analyzed(
      anArticle(['[Ada] sued [Bo].'], { ...article, content_hash: 'one', occurred_at: A_DAY - 2 * HOUR_MS }),
      anArticle(['[Ada] praised [Cy].'], { ...article, content_hash: 'two', occurred_at: A_DAY - HOUR_MS }),
    )
    const names = async (query: string) =>
      (await relationshipsOf(home, `entity=Ada&${query}`)).map((one) => [nameOf(one), one['type']])

    expect(await names('')).toEqual([['Cy', 'collaborative']])
    expect(await names(`as_of=${new Date(A_DAY - 1.5 * HOUR_MS).toISOString()}`)).toEqual([['Bo', 'adversarial']])
  })

  it('the pipeline’s own analysis replaces a direct one, which is quoted before', async () => {
    const home = await aHome('professional')
    const article = { namespace: home.namespace, article_id: 'art_1', content_hash: 'one' }
    await analyzed(anArticle(['[Ada] sued [Bo].'], { ...article, direct: true }))
    const contexts = async () => (await relationshipsOf(home, 'entity=Ada')).map((one) => one['contexts'])

    expect(await contexts()).toEqual([['Ada sued Bo.']])

    await analyzed(anArticle(['[Ada] praised [Bo].'], { ...article, direct: false }))

    expect(await contexts()).toEqual([['Ada praised Bo.']])
  })

  it('reaches depth 3 with `depth` and `via`, which depth 1 omits', async () => {
    const home = await aHome('professional')
    const pairs = [['Ada', 'Bo'], ['Bo', 'Cy'], ['Cy', 'Di'], ['Di', 'Ed']] // prettier-ignore
    await analyzed(
      ...pairs.map(([one = '', other = ''], i) =>
        anArticle([`[${one}] and [${other}].`], { namespace: home.namespace, article_id: `art_${i}` }),
      ),
    )
    const steps = async (depth: number) =>
      (await relationshipsOf(home, `entity=Ada&depth=${depth}`)).map((one) => [nameOf(one), one['depth'], one['via']])

    expect(await steps(3)).toEqual([
      ['Bo', 1, id('Ada')],
      ['Cy', 2, id('Bo')],
      ['Di', 3, id('Cy')],
    ])
    expect(await steps(1)).toEqual([['Bo', undefined, undefined]])
  })

  it('returns an empty list for an entity without co-mentions in the window, and 404 for an unknown one', async () => {
    const home = await aHome('professional')
    const other = await aHome('professional')
    await analyzed(
      anArticle(['[Ada] sued [Bo].'], { namespace: home.namespace, occurred_at: A_DAY - 40 * DAY_MS }),
      anArticle(['[Cy] sued [Di].'], { namespace: home.namespace, article_id: 'art_2' }),
      anArticle(['[Ada] sued [Zoe].'], { namespace: other.namespace }),
    )

    expect(await relationshipsOf(home, 'entity=Ada')).toEqual([])
    expect((await home.get('/v1/relationships/network?entity=Ada')).body).toMatchObject({
      nodes: [{ id: id('Ada'), name: 'Ada', mentions: 0, sentiment_avg: 0 }],
      edges: [],
    })
    for (const path of ['/v1/relationships?entity=Zoe', `/v1/relationships/network?entity=${id('Zoe')}`]) {
      const { status, body } = await home.get(path)
      expect([status, body['code']]).toEqual([404, 'entity_not_found'])
    }
  })

  it('requires the professional tier and rejects invalid parameters', async () => {
    const starter = await aHome()
    const home = await aHome('professional')

    expect((await starter.get('/v1/relationships?entity=Ada')).status).toBe(403)
    expect((await starter.get('/v1/relationships/network?entity=Ada')).status).toBe(403)
    for (const query of [
      '',
      'entity=Ada&depth=4',
      'entity=Ada&min_strength=1.1',
      'entity=Ada&type=x',
      'entity=Ada&time_range=2d',
    ])
      expect((await home.get(`/v1/relationships?${query}`)).status).toBe(422)
    expect((await home.get('/v1/relationships/network?entity=Ada&max_nodes=0')).status).toBe(422)
  })
})

it('a directed network edge has the acting entity as its source', async () => {
  const home = await aHome('professional')
  await analyzed(
    anArticle(['[Bo] was sued by [Ada].', '[Cy] saw [Ada].'], { namespace: home.namespace, article_id: 'art_1' }),
    anArticle(['[Cy] praised [Bo].'], { namespace: home.namespace, article_id: 'art_2' }),
  )

  const { body } = await home.get('/v1/relationships/network?entity=Bo&time_range=7d')

  const ends = (body['edges'] as { source: string; target: string; type: string; directed: boolean }[]).map(
    ({ source, target, type, directed }) => ({ source, target, type, directed }),
  )
  const [small, large] = [id('Ada'), id('Cy')].sort()
  expect(ends).toHaveLength(3)
  expect(ends).toEqual(
    expect.arrayContaining([
      { source: id('Ada'), target: id('Bo'), type: 'adversarial', directed: true },
      { source: id('Cy'), target: id('Bo'), type: 'collaborative', directed: true },
      { source: small, target: large, type: 'co_mention', directed: false },
    ]),
  )
  expect((body['nodes'] as { name: string; mentions: number }[]).map(({ name, mentions }) => [name, mentions])).toEqual(
    [
      ['Bo', 2],
      ['Cy', 2],
      ['Ada', 2],
    ],
  )
})

it('entity_pair_days has a row for each pair and day', async () => {
  const namespace = aNamespace()
  const article = (article_id: string, sentence: string, days: number) =>
    anArticle([sentence], { namespace, article_id, occurred_at: A_DAY - days * DAY_MS })
  await analyzed(
    article('art_1', '[Ada] and [Bo] in [2016:DATE].', 1),
    article('art_2', '[Ada], [Bo] and [Cy].', 1),
    article('art_3', '[Bo] and [Ada].', 0),
  )

  const rows = await store.query({
    name: 'test.pair_days',
    sql: `SELECT source_name, target_name, toString(day) AS day, article_count FROM entity_pair_days
      WHERE namespace = {namespace: String} AND (source_name IN ('Ada', 'Bo') AND target_name IN ('Ada', 'Bo'))
      ORDER BY day`,
    params: { namespace },
    parse: (row) => row as { day: string; article_count: number },
  })

  expect(rows.map(({ day, article_count }) => [day, article_count])).toEqual([
    [new Date(A_DAY - DAY_MS).toISOString().slice(0, 10), 2],
    [new Date(A_DAY).toISOString().slice(0, 10), 1],
  ])
})
