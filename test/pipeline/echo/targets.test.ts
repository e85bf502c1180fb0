import { describe, expect, it } from 'vitest'
import type { ArticleClustered } from '../../../src/events/ledger.ts'
import { echoTargets } from '../../../src/views/echo/targets.ts'
import { A_NOON } from '../../builders/api.ts'
import { aStoryArticle } from '../../builders/discourse.ts'
import { aNamespace, viewsDatabase } from '../views-database.ts'

const { store, writer } = viewsDatabase()
const HOUR_MS = 3_600_000

type EchoTargetsEntity = ArticleClustered['member']['entities'][number]

const named = (name: string, type: EchoTargetsEntity['type'] = 'PERSON', mention_count = 1): EchoTargetsEntity => ({
  ...{ entity_id: `ent_${name}`, name, type, mention_count },
  ...{ country: null, sentiment_score: null },
})

interface TargetArticleOptions {
  readonly hours: number
  readonly entities?: readonly EchoTargetsEntity[]
  readonly url?: string | null
  readonly semantic_hash?: string
}

/** An article of `story`, `hours` before noon. */
function article(
  story: string,
  id: string,
  { hours, entities = [], ...member }: TargetArticleOptions,
): Partial<ArticleClustered> {
  const at = A_NOON - hours * HOUR_MS
  return {
    ...{ article_id: `art_${id}`, cluster_id: `sto_${story}`, occurred_at: at, content_hash: `hash ${id}` },
    member: {
      ...aStoryArticle().member,
      ...{
        title: `Title of ${id}`,
        published_date: at,
        entities,
        semantic_hash: id,
        url: `https://news.example/${id}`,
      },
      ...{ publisher: `publisher of ${id}`, source: `source of ${id}` },
      ...member,
    },
  }
}

/** `count` articles of one story, an hour apart, the last of them `hours` before noon. */
const articles = (story: string, count: number, last: number): Partial<ArticleClustered>[] =>
  Array.from({ length: count }, (_, i) => article(story, `${story}${i}`, { hours: last + count - 1 - i }))

async function aHome(...given: readonly Partial<ArticleClustered>[]): Promise<string> {
  const namespace = aNamespace()
  await writer.clustered(...given.map((event) => ({ ...event, namespace })))
  return namespace
}

const targets = (namespace: string, over: { as_of?: number; limit?: number } = {}) =>
  echoTargets(store, { namespace, as_of: A_NOON, limit: 50, ...over })

describe('echoTargets', () => {
  it('are stories of at least three articles with one in the last 72 hours, most independent sources first', async () => {
    const home = await aHome(
      ...articles('wide', 5, 1),
      ...articles('just', 3, 71.9),
      ...articles('quiet', 4, 72.1),
      ...articles('two', 2, 1),
    )

    expect((await targets(home)).map(({ cluster_id, origins }) => [cluster_id, origins])).toEqual([
      ['sto_wide', 5],
      ['sto_just', 3],
    ])
    expect((await targets(home, { limit: 1 })).map(({ cluster_id }) => cluster_id)).toEqual(['sto_wide'])
    expect(await targets(aNamespace())).toEqual([])
  })

  it('contain the entities most articles name, at most eight, without dates and sums', async () => {
    const many = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'].map((name) => named(name, 'ORG'))
    const home = await aHome(
      article('s', '1', { hours: 3, entities: [named('Oslo', 'GPE', 9), named('May', 'DATE'), named('Ada Quill')] }),
      article('s', '2', { hours: 2, entities: [named('Ada Quill'), named('5 dollars', 'MONEY'), ...many] }),
      article('s', '3', { hours: 1, entities: [named('Ada Quill'), named('Rome', 'LOC')] }),
    )

    const [story] = await targets(home)

    expect(story?.entities.slice(0, 2)).toEqual(['Ada Quill', 'Oslo'])
    expect(story?.entities).toHaveLength(8)
    expect(story?.entities).not.toContain('May')
    expect(story?.entities).not.toContain('5 dollars')
  })

  it('contain the URLs of the articles, newest first, each once, at most twenty', async () => {
    const home = await aHome(
      ...articles('s', 21, 2),
      article('s', 'none', { hours: 1.5, url: null }),
      article('s', 'again', { hours: 1, url: 'https://news.example/s19' }),
    )

    const [story] = await targets(home)

    expect(story?.urls).toHaveLength(20)
    expect(story?.urls.slice(0, 3)).toEqual([19, 20, 18].map((i) => `https://news.example/s${i}`))
    expect(story).toMatchObject({ article_count: 23, last_published: A_NOON - HOUR_MS })
    expect(story?.title).toMatch(/^Title of /)
  })

  it('accept a point in time, and count reprints once', async () => {
    const home = await aHome(...articles('s', 3, 10), article('s', 'copy', { hours: 5, semantic_hash: 's0' }))

    expect(await targets(home)).toMatchObject([{ article_count: 4, origins: 3 }])
    expect(await targets(home, { as_of: A_NOON - 6 * HOUR_MS })).toMatchObject([{ article_count: 3, origins: 3 }])
    expect(await targets(home, { as_of: A_NOON - 11 * HOUR_MS })).toEqual([])
  })
})
