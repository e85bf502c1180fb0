import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import type { Origin } from '../../../src/events/ledger.ts'
import { syndicationGroup } from '../../../src/events/ids.ts'
import { articleDetail } from '../../../src/views/articles/detail.ts'
import { articleOrigin } from '../../../src/views/articles/queries.ts'
import { migrate } from '../../../src/views/migrate.ts'
import { VIEWS_DATABASE } from '../../engines.ts'
import { A_DAY } from '../../builders/articles.ts'
import { ViewWriter } from '../../builders/views.ts'

const HOUR_MS = 3_600_000
const store = clickhouseStore({ ...inject('engines').clickhouse, database: VIEWS_DATABASE })
const writer = new ViewWriter(store)
const aNamespace = () => `test-${randomBytes(8).toString('hex')}`

beforeAll(async () => {
  await migrate(store, { replicated: false })
})

afterAll(async () => {
  await store.close()
})

const ALONE = { duplicate_of: null, derived_from: null, translation: null, containment: 0 }

/** Article `article_id`, published `hours` after noon, with a text of this `origin`. */
const isOf = (
  namespace: string,
  [article_id, hours, content_hash]: readonly [string, number, string],
  origin: Partial<Origin> & Pick<Origin, 'syndication_group'>,
) => ({
  namespace,
  article_id,
  content_hash,
  occurred_at: A_DAY + hours * HOUR_MS,
  origin: { ...ALONE, ...origin },
})

const of = (namespace: string, article_id: string, hours = 100) =>
  articleOrigin(store)({ namespace, article_id, as_of: A_DAY + hours * HOUR_MS })

it('returns the earliest of a group by event time, at any point in time', async () => {
  const namespace = aNamespace()
  await writer.clustered(
    isOf(namespace, ['art_b', 2, '1'], { syndication_group: 'syn_b' }),
    isOf(namespace, ['art_c', 3, '1'], { syndication_group: 'syn_b', duplicate_of: 'art_b', containment: 0.9 }),
    isOf(namespace, ['art_a', 1, '1'], { syndication_group: 'syn_b', duplicate_of: 'art_b', containment: 0.8 }),
  )

  const copy = { content_hash: '1', syndication_group: 'syn_b', is_duplicate_of: 'art_a', derived_from: null }
  expect(await of(namespace, 'art_c')).toEqual([{ ...copy, containment: 0.9 }])
  expect(await of(namespace, 'art_b')).toEqual([{ ...copy, containment: 0 }])
  expect(await of(namespace, 'art_a')).toMatchObject([{ syndication_group: 'syn_b', is_duplicate_of: null }])
  expect(await of(namespace, 'art_a', 1)).toMatchObject([{ syndication_group: null, is_duplicate_of: null }])
  expect(await of(namespace, 'art_b', 1)).toEqual([])
  expect(await of(aNamespace(), 'art_b')).toEqual([])
})

it('uses the newest revision of each article', async () => {
  const namespace = aNamespace()
  await writer.clustered(
    isOf(namespace, ['art_a', 1, '1'], { syndication_group: 'syn_a' }),
    isOf(namespace, ['art_b', 2, '1'], { syndication_group: 'syn_a', duplicate_of: 'art_a', containment: 1 }),
    isOf(namespace, ['art_b', 5, '2'], { syndication_group: 'syn_b', derived_from: 'art_a', containment: 0.4 }),
  )

  expect(await of(namespace, 'art_b', 4)).toMatchObject([{ syndication_group: 'syn_a', is_duplicate_of: 'art_a' }])
  expect(await of(namespace, 'art_b')).toEqual([
    { content_hash: '2', syndication_group: null, is_duplicate_of: null, derived_from: 'art_a', containment: 0.4 },
  ])
  expect(await of(namespace, 'art_a')).toMatchObject([{ syndication_group: null, is_duplicate_of: null }])
})

it('an original that is revised after its reprint stays the original', async () => {
  const namespace = aNamespace()
  await writer.clustered(
    isOf(namespace, ['art_a', 1, '1'], { syndication_group: 'syn_a' }),
    isOf(namespace, ['art_b', 2, '1'], { syndication_group: 'syn_a', duplicate_of: 'art_a', containment: 1 }),
    isOf(namespace, ['art_a', 5, '2'], { syndication_group: 'syn_a', containment: 0.97 }),
  )

  expect(await of(namespace, 'art_a')).toMatchObject([{ syndication_group: 'syn_a', is_duplicate_of: null }])
  expect(await of(namespace, 'art_b')).toMatchObject([{ syndication_group: 'syn_a', is_duplicate_of: 'art_a' }])
})

it('an earlier revision with another text does not make an article the original', async () => {
  const namespace = aNamespace()
  await writer.clustered(
    isOf(namespace, ['art_b', 1, '1'], { syndication_group: 'syn_b' }),
    isOf(namespace, ['art_a', 2, '1'], { syndication_group: 'syn_a' }),
    isOf(namespace, ['art_b', 5, '2'], { syndication_group: 'syn_a', duplicate_of: 'art_a', containment: 1 }),
  )

  expect(await of(namespace, 'art_b')).toMatchObject([{ syndication_group: 'syn_a', is_duplicate_of: 'art_a' }])
})

describe('a revision that was not clustered', () => {
  /** Revision `content_hash` of an article, `hours` after noon, with this body. */
  const scored = (
    namespace: string,
    [article_id, hours, content_hash]: readonly [string, number, string],
    body: string,
  ) => ({
    namespace,
    article_id,
    content_hash,
    occurred_at: A_DAY + hours * HOUR_MS,
    semantic_hash: body,
  })

  const detail = (namespace: string, article_id: string) =>
    articleDetail(store, { namespace, article_id, as_of: A_DAY + 100 * HOUR_MS, include_embedding: false })

  it('does not inherit the origin of the previous text', async () => {
    const namespace = aNamespace()
    await writer.scored(
      scored(namespace, ['art_a', 1, '1'], 'harbour'),
      scored(namespace, ['art_b', 2, '1'], 'harbour'),
      scored(namespace, ['art_b', 3, '2'], 'flood'),
    )
    await writer.clustered(
      isOf(namespace, ['art_a', 1, '1'], { syndication_group: 'syn_a' }),
      isOf(namespace, ['art_b', 2, '1'], { syndication_group: 'syn_a', duplicate_of: 'art_a', containment: 1 }),
    )

    expect(await detail(namespace, 'art_b')).toMatchObject({ syndication_group: null, is_duplicate_of: null })
    expect(await detail(namespace, 'art_a')).toMatchObject({ is_duplicate_of: null, first_alike: null })
  })

  it('has the group of another article with the same body', async () => {
    const namespace = aNamespace()
    await writer.scored(
      scored(namespace, ['art_a', 1, '1'], 'harbour, longer'),
      scored(namespace, ['art_b', 3, '1'], 'harbour'),
      scored(namespace, ['art_c', 2, '1'], 'harbour'),
    )
    await writer.clustered(
      isOf(namespace, ['art_a', 1, '1'], { syndication_group: 'syn_a' }),
      isOf(namespace, ['art_b', 3, '1'], { syndication_group: 'syn_a', duplicate_of: 'art_a', containment: 0.9 }),
    )

    const theirs = { syndication_group: 'syn_a', is_duplicate_of: 'art_a' }
    expect(await detail(namespace, 'art_b')).toMatchObject(theirs)
    expect(await detail(namespace, 'art_c')).toMatchObject(theirs)
  })

  it('has no group if that article has none, nor the group of a previous text', async () => {
    const namespace = aNamespace()
    await writer.scored(
      scored(namespace, ['art_a', 1, '1'], 'harbour'),
      scored(namespace, ['art_b', 2, '1'], 'harbour'),
      scored(namespace, ['art_c', 1, '1'], 'storm'),
      scored(namespace, ['art_c', 3, '2'], 'flood'),
      scored(namespace, ['art_d', 4, '1'], 'flood'),
    )
    await writer.clustered(
      isOf(namespace, ['art_a', 1, '1'], { syndication_group: 'syn_a' }),
      isOf(namespace, ['art_c', 1, '1'], { syndication_group: 'syn_c' }),
    )

    expect(await detail(namespace, 'art_b')).toMatchObject({ syndication_group: null, is_duplicate_of: 'art_a' })
    expect(await detail(namespace, 'art_d')).toMatchObject({
      syndication_group: syndicationGroup(namespace, 'art_c'),
      is_duplicate_of: 'art_c',
    })
  })
})

it('returns `derived_from` only once that article is published', async () => {
  const namespace = aNamespace()
  await writer.clustered(
    isOf(namespace, ['art_a', 9, '1'], { syndication_group: 'syn_a' }),
    isOf(namespace, ['art_b', 2, '1'], { syndication_group: 'syn_b', derived_from: 'art_a', containment: 0.4 }),
  )

  expect(await of(namespace, 'art_b', 8)).toMatchObject([{ derived_from: null }])
  expect(await of(namespace, 'art_b', 9)).toMatchObject([{ derived_from: 'art_a' }])
})

it('has no row for a decision that predates origins', async () => {
  const namespace = aNamespace()
  await writer.clustered({ namespace, article_id: 'art_a', origin: null })

  expect(await of(namespace, 'art_a')).toEqual([])
})
