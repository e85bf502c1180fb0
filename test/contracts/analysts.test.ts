import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock.ts'
import { clickhouseStore } from '../../src/adapters/clickhouse/store.ts'
import { analysts, type Analyst } from '../../src/engines/analysts/analysts.ts'
import { analystNames, usersFolder, createUsers, dropUsers } from '../../src/engines/analysts/users.ts'
import { analystViews, refreshAnalystViews } from '../../src/engines/analysts/views.ts'
import { clickHouseEngine } from '../../src/engines/clickhouse.ts'
import { anyFreePort } from '../../src/engines/free-port.ts'
import { supervise, type Supervised } from '../../src/engines/supervise.ts'
import type { Store } from '../../src/ports/store.ts'
import { migrate } from '../../src/views/migrate.ts'

const home = mkdtempSync(join(tmpdir(), 'story-analysts-'))
let engine: Supervised
let store: Store
let clickhouse: { url: string; database: string; user: string; password: string }
let acme: Analyst
let common: Analyst

const ours = () => analysts({ store, clock: systemClock, clickhouse, home })

/** The server's response to a user: rows, or the error message. */
async function ask({ user, password, database, url }: Analyst, sql: string): Promise<string> {
  const headers = { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password }
  const whole = '&wait_end_of_query=1'
  const answer = await fetch(`${url}/?database=${database}${whole}`, { method: 'POST', headers, body: sql })
  return (await answer.text()).trim()
}

/** A state of a story called `word`. */
const stateOf = (namespace: string, word: string, place: number) => ({
  ...{ namespace, cluster_id: word, event_id: `evt_${word}`, lifecycle_state: place === 1 ? 'breaking' : 'mature' },
  ...{ previous_state: null, rule: 'young', facts: {}, evaluated_at: '2016-05-01 12:00:00.000', decided_by: 'api' },
  ...{ _log_at: '2016-05-01 12:00:00.000', _partition: 0, _offset: place },
})

/** The story or subject page of an article of the namespace. */
const placeOf = (namespace: string, article_id: string, [cluster_id, place]: readonly [string, number]) => ({
  ...{ namespace, article_id, cluster_id, event_id: `evt_${cluster_id}_${article_id}`, dated: true },
  ...{ valid_from: '2016-05-01 12:00:00.000', _log_at: '2016-05-01 12:00:00.000', _partition: 0, _offset: place },
})

const rowOf = (namespace: string, word: string) => ({ namespace, word, version: 1 })

beforeAll(async () => {
  const port = await anyFreePort()
  const analystPassword = 'of the common analyst'
  engine = await supervise(
    clickHouseEngine({
      ...{ directory: join(home, 'clickhouse'), log: join(home, 'clickhouse.log'), port },
      ...{ database: 'story', password: 'of the service', analystPassword },
    }),
    (line) => console.error(line),
  )
  clickhouse = { url: `http://127.0.0.1:${port}`, database: 'story', user: 'story', password: 'of the service' }
  store = clickhouseStore(clickhouse)
  await migrate(store, { replicated: false })
  await store.command(`
    CREATE TABLE facts (namespace LowCardinality(String) COMMENT 'Whose it is', word String, version UInt64, INDEX words word TYPE text(tokenizer = 'splitByNonAlpha'))
    ENGINE = ReplacingMergeTree(version) ORDER BY (namespace, word)`)
  await store.command('CREATE TABLE of_nobody (word String) ENGINE = MergeTree ORDER BY word')
  await store.command("INSERT INTO of_nobody VALUES ('unseenword')")
  await store.command('CREATE VIEW counted AS SELECT count() AS n FROM facts')
  await store.insert('facts', [
    rowOf('acme-one', 'mine'),
    rowOf('zeta-corp', 'wombatword'),
    rowOf('shared', 'everybodysword'),
  ])
  const words = [
    stateOf('acme-one', 'mine', 1),
    stateOf('zeta-corp', 'wombatword', 1),
    stateOf('shared', 'everybodysword', 1),
  ]
  await store.insert('transitions', words)
  await store.insert('transitions', [stateOf('acme-one', 'mine', 2)]) // the same event again
  await aSubject('acme-one', 'mine')
  await aSubject('zeta-corp', 'wombatword')
  await refreshAnalystViews(store, 'story')
  common = { user: 'analyst', password: analystPassword, url: clickhouse.url, database: 'analyst' }
  acme = await whileReading(() => ours().put('acme-one'))
})

/** Two articles of two stories that one page lists; the first left another page for it. */
async function aSubject(namespace: string, word: string): Promise<void> {
  const article = (id: string, names: readonly string[], place: number) => ({
    ...{ namespace, article_id: id, event_id: `evt_${id}`, occurred_at: `2016-05-0${place} 12:00:00.000` },
    ...{ entity_ids: names, entity_names: names, entity_types: names.map(() => 'PERSON') },
    ...{ entity_countries: names.map(() => ''), entity_mentions: names.map(() => 1) },
    ...{ _log_at: '2016-05-01 12:00:00.000', _partition: 0, _offset: place },
  })
  await store.insert('members', [article('art_1', [word, 'Ada'], 1), article('art_2', [word], 2)])
  const placed = { action: 'opened', assignment_confidence: 0.8 }
  await store.insert('placements', [
    { ...placeOf(namespace, 'art_1', [`sto_${word}`, 1]), ...placed },
    { ...placeOf(namespace, 'art_2', ['sto_b', 2]), ...placed },
  ])
  await store.insert('subject_listings', [
    placeOf(namespace, 'art_1', ['sub_old', 3]),
    placeOf(namespace, 'art_1', ['sub_page', 4]),
    placeOf(namespace, 'art_2', ['sub_page', 4]),
  ])
}

/** The results of reads while the server restarted for a new analyst. */
const reads = { answered: 0, failed: [] as unknown[] }

async function whileReading<Out>(work: () => Promise<Out>): Promise<Out> {
  let isOver = false
  const read = async () => {
    while (!isOver) {
      const one = { name: 'test', sql: 'SELECT word FROM facts LIMIT 1', params: {}, parse: (row: unknown) => row }
      await store.query(one).then(
        () => (reads.answered += 1),
        (cause: unknown) => reads.failed.push(cause),
      )
    }
  }
  const reading = [read(), read()]
  try {
    return await work()
  } finally {
    isOver = true
    await Promise.all(reading)
  }
}

afterAll(async () => {
  await store.close()
  await engine.stop()
  rmSync(home, { recursive: true, force: true })
})

describe('the analyst of a private namespace', () => {
  it('is created while the service reads: no read fails during the restart', () => {
    expect(reads.failed).toEqual([])
    expect(reads.answered).toBeGreaterThan(1)
  })

  it('has a name, a password and a database of its own; only the hash of the password is kept', async () => {
    expect(acme).toMatchObject({ user: 'analyst_acme_one', url: clickhouse.url, database: 'analyst_acme_one' })
    expect(readdirSync(usersFolder(home))).toContain('analyst_acme_one.xml')
    expect((await ours().list()).map(({ namespace }) => namespace)).toEqual(['acme-one', 'shared'])
  })

  it('sees the rows of its namespace without repeats', async () => {
    expect(await ask(acme, 'SELECT cluster_id, state FROM lifecycle')).toBe('mine\tbreaking')
  })

  it('sees the subject pages of its namespace, and assignment confidence', async () => {
    const sql = 'SELECT subject_id, title, story_count, article_ids, story_ids FROM subjects'
    expect(await ask(acme, sql)).toBe("sub_page\tmine, Ada\t2\t['art_1','art_2']\t['sto_b','sto_mine']")
    const sure = 'SELECT cluster_id, assignment_confidence FROM members ORDER BY article_id'
    expect(await ask(acme, sure)).toBe('sto_mine\t0.8\nsto_b\t0.8')
  })

  it('finds the documented views, each column with its type and comment, and can read them', async () => {
    const described = analystViews()
      .flatMap(({ name, columns }) =>
        columns.map((column) => [name, column.name, column.type, column.comment].join('\t')),
      )
      .sort()

    const sql = 'SELECT table, name, type, comment FROM system.columns WHERE database = currentDatabase() FORMAT TSVRaw'
    expect((await ask(acme, sql)).split('\n').sort()).toEqual(described)
    for (const { name } of analystViews()) {
      expect(await ask(acme, `SELECT * FROM ${name} LIMIT 1`)).not.toContain('Exception')
    }
  })

  it.each([
    'SELECT * FROM story.facts',
    'SELECT * FROM of_nobody',
    'SELECT * FROM story.of_nobody',
    'SELECT * FROM counted',
    'SELECT * FROM analyst.lifecycle',
    "SELECT * FROM mergeTreeIndex('story', 'facts')",
    "SELECT * FROM mergeTreeTextIndex('story', 'facts', 'words')",
    "SELECT * FROM mergeTreeAnalyzeIndexes('story', 'facts')",
    "SELECT * FROM merge('story', '.*')",
    "SELECT * FROM merge('analyst', '.*')",
    'SELECT * FROM view(SELECT * FROM story.facts)',
    "SELECT * FROM lifecycle WHERE throwIf(startsWith(cluster_id, 'wombat')) = 0",
    "SELECT * FROM lifecycle PREWHERE throwIf(startsWith(cluster_id, 'wombat')) = 0",
    "SELECT * FROM lifecycle WHERE startsWith(cluster_id, 'wombat') OR 1",
    "SELECT * FROM lifecycle SETTINGS additional_table_filters = {'story.transitions': '1'}",
    'SELECT name, total_rows, total_bytes FROM system.tables',
    'SELECT * FROM system.columns',
    'SELECT name FROM system.databases',
    'SELECT * FROM system.parts',
    'SELECT * FROM system.row_policies',
    'SELECT * FROM system.users',
    'SELECT * FROM system.query_log',
    'SELECT * FROM system.processes',
    'SELECT * FROM system.quota_usage',
    'SHOW USERS',
    'SHOW DATABASES',
    'SHOW CREATE TABLE lifecycle',
    'EXPLAIN indexes = 1 SELECT * FROM lifecycle',
    'EXPLAIN QUERY TREE SELECT * FROM lifecycle',
  ])('learns nothing about other namespaces from %s', async (sql) => {
    expect(await ask(acme, sql)).not.toMatch(/zeta.corp|wombatword|everybodysword|unseenword|THROW_IF|^[34]$/im)
  })

  it.each([
    ['to write', 'INSERT INTO lifecycle (state) VALUES (1)', '497'],
    ['to create', 'CREATE TABLE mine (n UInt64) ENGINE = Memory', '497'],
    ['to drop', 'DROP VIEW lifecycle', '497'],
    ['a file', "SELECT * FROM file('/etc/hostname', 'LineAsString')", '497'],
    ['a URL', "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')", '497'],
    ['more time', 'SELECT 1 SETTINGS max_execution_time = 0', '452'],
    ['more memory', 'SELECT 1 SETTINGS max_memory_usage = 0', '452'],
    ['more rows', 'SELECT 1 SETTINGS max_rows_to_read = 0', '452'],
    ['to stop being read-only', 'SELECT 1 SETTINGS readonly = 0', '164'],
  ])('is refused %s', async (_, sql, code) => {
    expect(await ask(acme, sql)).toContain(`Code: ${code}.`)
  })

  it('the reader user of its views cannot log in', async () => {
    const reader = { ...acme, user: analystNames('acme-one').reader, password: '' }
    expect(await ask(reader, 'SELECT 1')).toContain('Code: 516.')
  })

  it('has the views of this version after a refresh, whatever existed before', async () => {
    await store.command('DROP VIEW analyst_acme_one.lifecycle SYNC')
    await store.command('CREATE VIEW analyst_acme_one.of_before AS SELECT 1')
    expect(await ask(acme, 'SELECT cluster_id FROM lifecycle')).toContain('Code: 60.')

    await refreshAnalystViews(store, 'story')

    expect(await ask(acme, 'SELECT cluster_id FROM lifecycle')).toBe('mine')
    expect((await ask(acme, 'SHOW TABLES')).split('\n')).toEqual(
      analystViews()
        .map(({ name }) => name)
        .sort(),
    )
  })
})

describe('the common analyst', () => {
  it('sees only the shared namespace', async () => {
    expect(await ask(common, 'SELECT cluster_id FROM lifecycle')).toBe('everybodysword')
    expect(await ask(common, 'SELECT * FROM story.facts')).toContain('Code: 497.')
    expect(await ask(common, 'SELECT * FROM analyst_acme_one.lifecycle')).toContain('Code: 497.')
    expect(await ask(common, 'SHOW DATABASES')).toBe('analyst')
  })
})

describe('an existing analyst', () => {
  it('gets a new password, which replaces the old one; after it is dropped, it cannot log in, and the data stays', async () => {
    const again = await ours().put('acme-one')

    expect(await ask(acme, 'SELECT 1')).toContain('Code: 516.')
    expect(await ask(again, 'SELECT cluster_id FROM lifecycle')).toBe('mine')

    expect(await ours().drop('acme-one')).toBe(true)
    expect(await ask(again, 'SELECT 1')).toContain('Code: 516.')
    expect(await ours().drop('acme-one')).toBe(false)
    expect((await ours().list()).map(({ namespace }) => namespace)).toEqual(['shared'])
    expect(
      await ask({ ...clickhouse, database: 'story' }, "SELECT count() FROM facts WHERE namespace = 'acme-one'"),
    ).not.toBe('0')
  })

  it('on an external server, users that are defined in files cannot be created', async () => {
    const elsewhere = analysts({ store, clock: systemClock, clickhouse, home: join(home, 'nowhere') })

    await expect(elsewhere.put('acme-two')).rejects.toThrow(/takes its users from files.*set STORY_HOME/)
  })
})

describe('on a server that stores users itself', () => {
  const names = analystNames('acme-one')
  const statements = [...createUsers('story', names, 'ab'.repeat(32)), ...dropUsers('story', names)]

  it.each(statements.map((sql) => [sql]))('the server parses %s', async (sql) => {
    const literal = sql.replaceAll("'", "''")
    const answer = await ask({ ...clickhouse, database: 'story' }, `SELECT formatQuerySingleLine('${literal}')`)
    expect(answer.replaceAll("\\'", "'").replaceAll('`', "'")).toBe(sql)
  })

  it('analysts are created by SQL, the row filter before the grant', async () => {
    const said: string[] = []
    const itself: Store = {
      ...store,
      query: async (query) =>
        query.name === 'analysts.directories'
          ? [{ type: 'users_xml' }, { type: 'local_directory' }].map(query.parse)
          : store.query(query),
      command: async (sql) => void said.push(sql),
    }
    const made = await analysts({ store: itself, clock: systemClock, clickhouse, home: join(home, 'nowhere') }).put(
      'b-c',
    )
    const at = (pattern: RegExp) => said.findIndex((sql) => pattern.test(sql))

    expect(made).toMatchObject({ user: 'analyst_b_c', database: 'analyst_b_c' })
    expect(at(/^CREATE DATABASE/)).toBe(0)
    expect(at(/^CREATE ROW POLICY .* USING namespace = 'b-c' TO reader_b_c/)).toBeGreaterThan(0)
    expect(at(/^GRANT SELECT ON story\.\* TO reader_b_c/)).toBeGreaterThan(at(/^CREATE ROW POLICY/))
    expect(at(/^CREATE OR REPLACE VIEW analyst_b_c\.lifecycle/)).toBeGreaterThan(at(/^GRANT SELECT ON analyst_b_c/))
    expect(said.join('\n')).not.toContain(made.password)
  })
})
