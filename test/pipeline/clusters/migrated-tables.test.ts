import { randomBytes } from 'node:crypto'
import { afterAll, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import type { Row } from '../../../src/ports/store.ts'
import { migrate, migrations } from '../../../src/views/migrate.ts'
import { axisVector } from '../../builders/articles.ts'

const database = `migrate_${randomBytes(6).toString('hex')}`
const store = clickhouseStore({ ...inject('engines').clickhouse, database })

afterAll(async () => {
  await store.command(`DROP DATABASE ${database}`)
  await store.close()
})

const FILL = '013-story-changes'

/** A row of the dropped table. */
const anOldMember = (article_id: string, cluster_id: string, offset: number): Row => ({
  namespace: 'shared',
  cluster_id,
  article_id,
  event_id: `evt_${offset}`,
  action: 'joined',
  content_hash: 'c0ffee',
  valid_from: '2016-05-03 12:00:00.000',
  dated: true,
  title: 'Harbour bridge to close',
  url: null,
  source: 'Example Times',
  published_date: null,
  semantic_hash: 'ffff',
  quality_score: 0.8,
  sentiment_score: 0,
  sentiment_label: 'neutral',
  entity_ids: ['ent_a', 'ent_b'],
  entity_names: ['Ada Quill', 'Oslo'],
  entity_types: ['PERSON', 'GPE'],
  entity_mentions: [1, 2],
  vector: axisVector(offset),
  _log_at: '2016-05-03 12:00:00.000',
  _partition: 0,
  _offset: offset,
})

const rows = (sql: string) =>
  store.query({
    name: 'test.rows',
    sql,
    params: {},
    parse: (row) => z.record(z.string(), z.unknown()).parse(row),
  })

it('members from before the migration keep their story and fields', async () => {
  const before = migrations().filter(({ name }) => name < FILL)
  await migrate(store, { replicated: false }, before)
  await store.insert('cluster_members', [
    anOldMember('art_abc', 'sto_1', 1),
    anOldMember('art_z23', 'sto_1', 2),
    anOldMember('art_z23', 'sto_2', 3),
  ])

  await migrate(store, { replicated: false }, before.concat(migrations().filter(({ name }) => name === FILL)))
  await store.command(`DELETE FROM migrations WHERE name = '${FILL}' SETTINGS lightweight_deletes_sync = 2`)
  expect(await migrate(store, { replicated: false })).toContain(FILL) // interrupted before it was recorded

  const facts = 'article_id, title, publisher, entity_countries, vector[_offset + 1] AS own'
  expect(await rows(`SELECT ${facts}, _offset FROM members ORDER BY _offset`)).toEqual(
    [1, 2, 3].map((offset) => ({
      article_id: offset === 1 ? 'art_abc' : 'art_z23',
      title: 'Harbour bridge to close',
      publisher: '',
      entity_countries: ['', ''],
      own: 1,
      _offset: offset,
    })),
  )
  expect(await rows('SELECT article_id, cluster_id FROM current_members ORDER BY article_id')).toEqual([
    { article_id: 'art_abc', cluster_id: 'sto_1' },
    { article_id: 'art_z23', cluster_id: 'sto_2' },
  ])
  expect(
    await rows('SELECT cluster_id, article_count, publisher_count FROM current_stories ORDER BY cluster_id'),
  ).toEqual(['sto_1', 'sto_2'].map((cluster_id) => ({ cluster_id, article_count: 1, publisher_count: 1 })))
  expect(
    await rows(`SELECT name FROM system.tables WHERE database = '${database}' AND name = 'cluster_members'`),
  ).toEqual([])
})
