import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectPath } from '../../../src/config/project-path.ts'
import { sized } from '../../builders/sizes.ts'
import { analystsHome, type AnalystsHome, type AnalystsHomeRow } from './analysts-home.ts'
import { stopAllStories } from '../story.ts'

const DOCUMENT = readFileSync(projectPath('docs/analysts.md'), 'utf8')

/** Each question of the document and its query. */
const QUESTIONS = [...DOCUMENT.matchAll(/\n### (.+)\n(?:(?!\n###)[\s\S])*?```sql\n([\s\S]*?)```/g)].map(
  ([, question = '', sql = '']) => [question, sql] as const,
)

let home: AnalystsHome
beforeAll(async () => {
  home = await analystsHome()
}, 900_000)
afterAll(stopAllStories)

/** The result of the document's query. */
async function answer(question: string): Promise<readonly AnalystsHomeRow[]> {
  const [, sql] = QUESTIONS.find(([one]) => one === question) ?? []
  if (sql === undefined) throw new Error(`docs/analysts.md does not ask: ${question}`)
  return home.rows(sql)
}

async function get<Body>(path: string): Promise<Body> {
  const { status, body } = await home.story.get(path)
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
  return body as Body
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
/** A time in the format of REST. */
const instant = (value: unknown): string => `${text(value).replace(' ', 'T')}Z`

it('there are at least 15 questions', () => {
  expect(QUESTIONS.length).toBeGreaterThanOrEqual(15)
})

/** The sample may have none with three stories; `agrees with REST` checks the result. */
const MAY_BE_EMPTY = ['Which stories belong to one narrative?', 'Which subjects have the most stories?']

it.each(QUESTIONS)('%s', async (question, sql) => {
  expect((await home.rows(sql)).length).toBeGreaterThan(MAY_BE_EMPTY.includes(question) ? -1 : 0)
})

/** Rows of a view that are compared with REST, one request each. */
const COMPARED = sized(20, 100)

describe('agrees with REST', () => {
  it('on the stories with most independent origins', async () => {
    interface Cluster {
      readonly id: string
      readonly [field: string]: unknown
    }
    const { clusters } = await get<{ clusters: Cluster[] }>('/v1/clusters?time_range=7d&sort=coverage&limit=20')

    const found = await answer('Which stories had the most independent sources last week?')
    const expected = clusters.map(({ id, origin_count, article_count, source_count, created_at, updated_at }) => ({
      ...{ cluster_id: id, origin_count, article_count, source_count },
      ...{ first_at: text(created_at).replace('T', ' ').slice(0, -1) },
      ...{ last_at: text(updated_at).replace('T', ' ').slice(0, -1) },
    }))
    expect(found).toMatchObject(expected) // titles may differ: REST also weighs their form
    expect(found).toHaveLength(expected.length)
  })

  it('on all figures of all stories', async () => {
    const found = await home.rows('SELECT * FROM clusters')
    for (const row of found.slice(0, COMPARED)) {
      const shown = await get<AnalystsHomeRow & { members: { article_id: string; title: string | null }[] }>(
        `/v1/clusters/${text(row['cluster_id'])}`,
      )
      expect(shown).toMatchObject({
        ...{ article_count: row['article_count'], source_count: row['source_count'] },
        ...{ publisher_count: row['publisher_count'], origin_count: row['origin_count'] },
        ...{ categories: row['categories'], geographic_spread: row['countries'] },
      })
      // REST chooses the titling member by more criteria
      expect(shown.members.map(({ title }) => title)).toContain(row['title'])
      expect(shown.members.map(({ article_id }) => article_id)).toContain(row['representative_id'])
    }
  })

  it('on the most mentioned entities', async () => {
    const { entities } = await get<{ entities: AnalystsHomeRow[] }>('/v1/entities?time_range=7d&limit=20')

    const named = await answer('Which entities have the most mentions?')
    expect(named).toEqual(
      entities.map(({ id, name, type, mention_count, article_count }) => ({
        ...{ entity_id: id, name, type, mentions: mention_count, articles: article_count },
      })),
    )
  })

  it('on the timeline of an entity', async () => {
    const days = await answer('How often was an entity mentioned per day, and in what tone?')
    const [{ entity_id } = {}] = await home.rows(
      "SELECT entity_id FROM entities WHERE type = 'PERSON' ORDER BY mention_count DESC, entity_id LIMIT 1",
    )
    const { timeline } = await get<{ timeline: AnalystsHomeRow[] }>(
      `/v1/entities/${text(entity_id)}/timeline?resolution=1d&time_range=30d`,
    )

    expect(days.map(({ day, mention_count, article_count }) => ({ date: day, mention_count, article_count }))).toEqual(
      timeline
        .filter(({ mention_count }) => mention_count !== 0)
        .map(({ date, mention_count, article_count }) => ({ date, mention_count, article_count })),
    )
  })

  it('on why each article is in its story', async () => {
    const found = await home.rows(
      `SELECT * FROM members JOIN decisions USING (decision_id) ORDER BY article_id LIMIT ${COMPARED}`,
    )
    const foundRows = await answer('Why is this article in this story?')
    for (const row of found) {
      const why = await get<AnalystsHomeRow & { chosen: AnalystsHomeRow | null }>(
        `/v1/clusters/${text(row['cluster_id'])}/members/${text(row['article_id'])}/why`,
      )
      expect(why).toMatchObject({ action: row['action'], rule: row['rule'], threshold: row['threshold'] })
      expect(why.chosen?.['score'] ?? null).toBe(row['score'])
      expect(why.chosen?.['features'] ?? {}).toEqual(row['features'])
    }
    expect(foundRows.length).toBeGreaterThan(1)
  })

  it('on assignment confidence', async () => {
    const found = await home.rows(
      `SELECT cluster_id, article_id, assignment_confidence FROM members ORDER BY article_id LIMIT ${COMPARED}`,
    )
    for (const { cluster_id, ...row } of found) {
      const { members } = await get<{ members: AnalystsHomeRow[] }>(`/v1/clusters/${text(cluster_id)}`)
      expect(members).toContainEqual(expect.objectContaining(row))
    }
    expect((await answer('Which articles may still move?')).length).toBe(20)
  })

  it('on the articles of subject pages', async () => {
    const { clusters } = await get<{ clusters: AnalystsHomeRow[] }>(
      '/v1/clusters?kind=subject&time_range=30d&limit=100',
    )

    const found = await home.rows('SELECT * FROM subjects ORDER BY subject_id')
    const shown = clusters.map(({ id, articles, article_count, story_count, created_at, updated_at }) => ({
      ...{ subject_id: id, article_ids: articles, article_count, story_count },
      ...{ first_at: text(created_at).replace('T', ' ').slice(0, -1) },
      ...{ last_at: text(updated_at).replace('T', ' ').slice(0, -1) },
    }))
    expect(found).toMatchObject(shown.sort((a, b) => (text(a.subject_id) < text(b.subject_id) ? -1 : 1)))
    expect(found).toHaveLength(shown.length)
  })

  it('on the stories of articles a day ago', async () => {
    const then = new Date(Date.now() - 86_400_000).toISOString()
    for (const { cluster_id, article_ids } of await answer('Where did articles belong a day ago?')) {
      const { articles } = await get<{ articles: string[] }>(`/v1/clusters/${text(cluster_id)}?as_of=${then}`)
      expect([...articles].sort()).toEqual([...(article_ids as string[])].sort())
    }
  })

  it('on corrections', async () => {
    const corrected = await answer('What have curators corrected?')
    for (const { cluster_id, requested_at, ...row } of corrected) {
      const { corrections } = await get<{ corrections: AnalystsHomeRow[] }>(
        `/v1/clusters/${text(cluster_id)}/corrections`,
      )
      expect(corrections).toContainEqual(expect.objectContaining({ ...row, requested_at: instant(requested_at) }))
    }
    expect(corrected.length).toBe(4)
  })

  it('on narrative threads', async () => {
    const { threads } = await get<{ threads: AnalystsHomeRow[] }>('/layer3/v1/graph/threads?limit=100')

    const found = await answer('Which stories belong to one narrative?')
    expect(found.map(({ thread_id, stories }) => [thread_id, stories]).sort()).toEqual(
      threads.map(({ id, cluster_count }) => [id, cluster_count]).sort(),
    )
  })

  it('on relationships between stories', async () => {
    const found = await home.rows(`SELECT * FROM relationships ORDER BY source_id, target_id, type LIMIT ${COMPARED}`)
    for (const { source_id, target_id, type, confidence } of found) {
      const { relationships } = await get<{ relationships: AnalystsHomeRow[] }>(
        `/layer3/v1/graph/cluster/${text(source_id)}/relationships`,
      )
      expect(relationships).toContainEqual(
        expect.objectContaining({ source: source_id, target: target_id, type, confidence }),
      )
    }
    expect(found.length).toBeGreaterThan(0)
  })

  it('on public discourse', async () => {
    const { results } = await get<{ results: AnalystsHomeRow[] }>('/echo/v1/echo/search?limit=100')

    const found = await home.rows('SELECT * FROM echo')
    const figures = (rows: readonly AnalystsHomeRow[], story: string, posts: string) =>
      rows
        .map((row) => [row[story], row['platform'], row['sentiment_score'], row['controversy_score'], row[posts]])
        .sort()
    expect(figures(found, 'cluster_id', 'analyzed_count')).toEqual(
      figures(results, 'story_id', 'comment_count_analyzed'),
    )
  })

  it('on the original text, the revision and the quality of an article', async () => {
    const found = await home.rows(`
      SELECT * FROM articles WHERE is_forwarded
      ORDER BY duplicate_of IS NULL AND derived_from IS NULL AND revision = 1, article_id LIMIT ${3 * COMPARED}`)
    for (const row of found) {
      expect(await get<AnalystsHomeRow>(`/layer0/v1/article/${text(row['article_id'])}`)).toMatchObject({
        ...{ title: row['title'], source: row['source'], language: row['language'], revision: row['revision'] },
        ...{ is_duplicate_of: row['duplicate_of'], derived_from: row['derived_from'] },
        ...{ syndication_group: row['syndication_group'], quality_score: row['quality_score'] },
        created_at: instant(row['recorded_at']),
      })
    }
    expect(found.filter(({ duplicate_of }) => duplicate_of !== null).length).toBeGreaterThan(5)
  })
})

describe('the first steps of the document', () => {
  const run = promisify(execFile)
  /** The document's command, with the address of this server. */
  const shell = async (line: string): Promise<string> =>
    (
      await run('sh', ['-c', line.replaceAll('http://localhost:8123', home.url)], {
        cwd: home.story.home,
        env: { ...process.env, PASSWORD: home.password },
      })
    ).stdout

  const curls = [...DOCUMENT.matchAll(/^curl .+$/gm)].map(([line]) => [line] as const)

  it.each(curls)('run: %s', async (line) => {
    expect(await shell(line)).not.toContain('Exception')
  })

  it('a Parquet file holds every row', async () => {
    await shell(curls.find(([line]) => line.includes('Parquet'))?.[0] ?? '')

    const file = readFileSync(join(home.story.home, 'members.parquet'))
    expect([file.subarray(0, 4).toString(), file.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1'])
    const form = new FormData()
    form.append('given', new Blob([file]))
    const { CLICKHOUSE_PASSWORD: password = '' } = await home.story.running()
    const read = await fetch(
      `${home.url}/?query=SELECT+count()+FROM+given&given_format=Parquet&given_structure=article_id+String`,
      {
        method: 'POST',
        headers: { 'X-ClickHouse-User': 'story', 'X-ClickHouse-Key': password },
        body: form,
      },
    )
    const [{ n } = {}] = await home.rows('SELECT count() AS n FROM members')
    expect((await read.text()).trim()).toBe(text(n))
  })
})
