import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { projectPath } from '../../../src/config/project-path.ts'
import { caller } from '../ask.ts'
import { asJsonl, datedSample, type SampleArticle } from '../dated-sample.ts'
import { newVersion, type NewVersion } from './new-version.ts'
import { startStory, stopAllStories, type StoryService } from '../story.ts'
import { until } from '../until.ts'

const ARTICLES = 120

const ReprocessReportJson = z.object({
  versions_after: z.array(z.string()),
  stories: z
    .object({ articles: z.number(), moved: z.number(), kept_share: z.number(), pairs: z.number(), merged: z.number() })
    .nullable(),
  results: z.object({ compared: z.number(), same: z.number(), differ: z.number(), only_before: z.number() }).nullable(),
  switched: z.object({ events: z.number(), entries: z.number() }).nullable(),
})
type ReprocessReportJson = z.infer<typeof ReprocessReportJson>

const Dropped = z.object({ dropped: z.number(), topics: z.array(z.string()) })

const environment = (story: StoryService): NodeJS.ProcessEnv => ({
  ...process.env,
  STORY_HOME: story.home,
  LOG_LEVEL: 'warn',
  ENCODER_VECTOR_CACHE: join(homedir(), '.cache', 'story-intelligence', 'test-vectors'),
})

const MAIN = projectPath('dist/main.js')

const importAll = async (story: StoryService, articles: readonly SampleArticle[]): Promise<void> => {
  const file = join(story.home, 'articles.jsonl')
  await writeFile(file, asJsonl(articles))
  await story.cli('import', 'jsonl', file, '--wait', '--restart')
}

const PairWeights = z.looseObject({ pair: z.looseObject({ body: z.looseObject({ bias: z.number() }) }) })

/** Weights that require two articles with texts to be more similar. */
function withStricterPairs(text: string): string {
  const weights = PairWeights.parse(JSON.parse(text))
  weights.pair.body.bias -= 1.85
  return JSON.stringify(weights)
}

const Cluster = z.object({ id: z.string(), articles: z.array(z.string()) })
const Clusters = z.object({ clusters: z.array(Cluster), next_cursor: z.string().nullable() })

/** The story of each article, by REST. */
async function partition({ url, key }: StoryService, asOf: string): Promise<ReadonlyMap<string, string>> {
  const asks = caller(url, key)
  const found = new Map<string, string>()
  for (let cursor: string | null = ''; cursor !== null;) {
    const path = `/v1/clusters?min_articles=1&time_range=30d&limit=100&as_of=${asOf}&cursor=${cursor}`
    const { clusters, next_cursor } = Clusters.parse((await asks.get(path)).body)
    for (const { id, articles } of clusters) articles.forEach((article) => found.set(article, id))
    cursor = next_cursor
  }
  return found
}

const Entities = z.object({ entities: z.array(z.object({ name: z.string(), article_count: z.number() })) })

const found = async (story: StoryService, query: string) =>
  Entities.parse((await story.get(`/layer1/v1/entities?type=PERSON&query=${encodeURIComponent(query)}`)).body).entities

const movedIn = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...before].filter(([article, story]) => after.get(article) !== story).map(([article]) => article)

describe('a new version of a stage', { timeout: 400_000 }, () => {
  let story: StoryService
  const versions: NewVersion[] = []

  beforeAll(async () => {
    story = await startStory()
    await importAll(story, datedSample(ARTICLES))
  }, 900_000)
  afterEach(async () => {
    await Promise.all(versions.splice(0).map((version) => version.drop()))
  })
  afterAll(stopAllStories)

  const command = async (main: string, ...args: string[]): Promise<unknown> => {
    const { stdout } = await promisify(execFile)(process.execPath, [main, 'reprocess', ...args, '--json'], {
      env: environment(story),
    })
    return JSON.parse(stdout)
  }
  const reprocess = async (main: string, ...args: string[]): Promise<ReprocessReportJson> =>
    ReprocessReportJson.parse(await command(main, ...args))

  it('resumes after it was killed, with the same result', async () => {
    const args = [MAIN, 'reprocess', 'scored', '--version', 'same', '--dry-run', '--json']
    const child = spawn(process.execPath, args, { env: environment(story), stdio: 'ignore' })
    await until('it has begun', async () => {
      const topics = await story.cli('lag', '--json').catch(() => '')
      return topics === '' ? null : true
    })
    const exited = child.exitCode === null ? once(child, 'exit') : Promise.resolve()
    child.kill('SIGKILL')
    await exited

    const report = await reprocess(MAIN, 'scored', '--version', 'same', '--dry-run')

    expect(report.results).toMatchObject({ compared: ARTICLES, same: ARTICLES, only_before: 0 })
    const left = Dropped.parse(await command(MAIN, 'scored', '--drop', '--dry-run'))
    expect(left).toMatchObject({ dropped: 0, topics: expect.arrayContaining(['articles.scored.next']) as unknown })
    expect(Dropped.parse(await command(MAIN, 'scored', '--drop')).dropped).toBe(left.topics.length)
  })

  it('other clusterer weights: REST returns the new stories, the old ones at an earlier `as_of`, and the reason; new articles join them', async () => {
    const stricter = await newVersion('models/clustering/weights.json', withStricterPairs)
    versions.push(stricter)
    const [then, now] = ['2016-03-12T11:00:00Z', '2016-03-13T00:00:00Z']
    const before = { then: await partition(story, then), now: await partition(story, now) }

    const compared = await reprocess(stricter.main, 'clustered', '--version', 'stricter', '--dry-run')
    expect(compared.stories?.moved).toBeGreaterThan(0)
    expect(await partition(story, now)).toEqual(before.now)
    await expect(reprocess(stricter.main, 'clustered', '--version', 'stricter')).rejects.toThrow(/98 % are required/)
    expect(await partition(story, now)).toEqual(before.now)
    const report = await reprocess(stricter.main, 'clustered', '--version', 'stricter', '--accept')
    const after = await until('the ledger is shown', async () => {
      const shown = await partition(story, now)
      return shown.size === before.now.size && movedIn(before.now, shown).length === report.stories?.moved
        ? shown
        : null
    })
    expect(await partition(story, then)).toEqual(before.then)
    for (const article of movedIn(before.now, after)) {
      const { body } = await story.get(`/v1/clusters/${after.get(article) ?? ''}/members/${article}/why?as_of=${now}`)
      expect(body).toMatchObject({ rule: 'reprocessed', versions: { reprocessed: 'stricter' } })
    }

    const last = datedSample(ARTICLES).at(-2)
    const copy = { title: last?.['title'], source: 'copy.example', published_date: '2016-03-12T13:00:00Z' }
    const id = await caller(story.url, story.key).submit(last?.text ?? '', copy)
    const whose = await until('news has its story', async () => (await partition(story, now)).get(id) ?? null)
    expect([...after.values()]).toContain(whose)
  })

  it('other entity names of the analysis: REST returns the new ones, and no article counts twice', async () => {
    const renamed = await newVersion(
      'models/names/aliases.tsv',
      (text) => `${text}PERSON\tVolodymyr Klychko\t\tWladimir Klitschko\n`,
    )
    versions.push(renamed)
    const [was] = await found(story, 'Klitschko')
    expect(was).toMatchObject({ name: 'Wladimir Klitschko' })

    const report = await reprocess(renamed.main, 'analyzed', '--version', 'renamed')

    expect(report.results?.differ).toBe(was?.article_count)
    expect(report.switched?.events).toBe(was?.article_count)
    await until('REST tells the new name', async () => {
      const [now] = await found(story, 'Klychko')
      return now?.article_count === was?.article_count ? now : null
    })
    expect(await found(story, 'Wladimir Klitschko')).toEqual([])
  })
})
