import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { projectPath } from '../../../src/config/project-path.ts'
import { sized } from '../../builders/sizes.ts'
import { newCaller, type AskCaller } from '../ask.ts'
import { asJsonl, sampleArticles } from '../dated-sample.ts'
import { startStory, type StoryService } from '../story.ts'
import { until } from '../until.ts'

export type AnalystsHomeRow = Readonly<Record<string, unknown>>

/** A service with the last two weeks of news, and its common analyst. */
export interface AnalystsHome {
  readonly story: StoryService
  readonly curator: AskCaller
  /** The address of ClickHouse: `http://127.0.0.1:…`. */
  readonly url: string
  readonly password: string
  /** Queries as the analyst; throws the error message. */
  readonly rows: (sql: string) => Promise<readonly AnalystsHomeRow[]>
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const Correction = z.object({ correction_id: z.string() })

export async function analystsHome(): Promise<AnalystsHome> {
  const story = await startStory()
  const { CLICKHOUSE_URL: url = '' } = await story.running()
  const secrets = z.object({ clickhouse_analyst_password: z.string() })
  const password = secrets.parse(
    JSON.parse(readFileSync(join(story.home, 'secrets.json'), 'utf8')),
  ).clickhouse_analyst_password
  const rows = async (sql: string): Promise<readonly AnalystsHomeRow[]> => {
    const answer = await fetch(`${url}/?database=analyst&default_format=JSONEachRow&wait_end_of_query=1`, {
      method: 'POST',
      headers: { 'X-ClickHouse-User': 'analyst', 'X-ClickHouse-Key': password },
      body: sql,
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as AnalystsHomeRow]))
  }
  const home = { story, curator: await newCaller(story, '--curator'), url, password, rows }
  await fill(home)
  return home
}

/** The sample articles, reprints and a revision of some, the sample posts, and corrections of two stories. */
async function fill({ story, curator, rows }: AnalystsHome): Promise<void> {
  const file = join(story.home, 'two-weeks.jsonl')
  const newest = Date.now() - 2 * HOUR_MS
  const articles = sampleArticles(sized(240, Infinity)).map((article, i) => ({
    ...article,
    // every topic is in the news in both weeks
    published_date: new Date(newest - (i % 2) * 7 * DAY_MS - (i % 11) * 4 * HOUR_MS - i * 60_000).toISOString(),
  }))
  const reprints = articles
    .filter((_, i) => i % 20 === 0)
    .flatMap((article, i) =>
      ['Mirror', 'Echo of the Day'].map((source, place) => ({
        ...article,
        ...{ url: `https://reprints.example/${place}/${i}`, source },
        published_date: new Date(Date.parse(article.published_date) + HOUR_MS).toISOString(),
      })),
    )
  const revised = articles
    .slice(0, 2)
    .map(({ text, ...article }) => ({ ...article, text: `${text} This text was changed.` }))
  await writeFile(file, asJsonl([...articles, ...reprints, ...revised]))
  await story.cli('import', 'jsonl', file, '--wait')
  await story.cli('import', 'posts', projectPath('samples/posts/demonstration.jsonl'))
  await correct(curator, rows)
  const there = async (sql: string) => ((await rows(sql)).length > 0 ? true : null)
  await until('posts are matched', () => there('SELECT 1 FROM echo'))
}

const Texts = z.object({ cluster_id: z.string(), articles: z.array(z.string()) })

/** A curator splits the copies of one text into separate stories and merges two others. */
async function correct(curator: AskCaller, rows: AnalystsHome['rows']): Promise<void> {
  const [text] = await rows(`
    SELECT cluster_id, groupArray(article_id) AS articles FROM articles
    WHERE syndication_group IS NOT NULL AND cluster_id IN (SELECT cluster_id FROM clusters WHERE article_count > 3)
    GROUP BY cluster_id, syndication_group HAVING count() = 3
    ORDER BY max(entity_count) DESC, cluster_id LIMIT 1`)
  const { cluster_id, articles } = Texts.parse(text)
  const small = await rows(`
    SELECT cluster_id FROM clusters WHERE cluster_id != '${cluster_id}' ORDER BY article_count, cluster_id LIMIT 2`)
  const [one, other] = small.map((row) => Texts.pick({ cluster_id: true }).parse(row).cluster_id)
  const wishes = [
    ...articles.map((id) => [cluster_id, { action: 'split', article_ids: [id], reason: 'Another matter' }] as const),
    [one, { action: 'merge', other_cluster_id: other, reason: 'One and the same' }],
  ] as const
  for (const [story, wish] of wishes) {
    const { status, body } = await curator.post(`/v1/clusters/${story ?? ''}/corrections`, wish)
    if (status >= 300) throw new Error(`not corrected: ${JSON.stringify(body)}`)
    const { correction_id } = Correction.parse(body)
    await until('the correction is applied', async () => {
      const applied = await rows(
        `SELECT 1 FROM corrections WHERE correction_id = '${correction_id}' AND status = 'applied'`,
      )
      return applied.length > 0 ? true : null
    })
  }
}
