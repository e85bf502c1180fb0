import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { A_REPORT } from '../builders/articles.ts'
import { sized } from '../builders/sizes.ts'
import { caller, type AskAnswer } from '../pipeline/ask.ts'
import { asJsonl, datedSample } from '../pipeline/dated-sample.ts'
import { importAll, titlePartition } from '../pipeline/imports.ts'
import { startStory, stopAllStories, type OwnStory, type StoryService } from '../pipeline/story.ts'
import { until } from '../pipeline/until.ts'

const Hashes = z.object({ view: z.string(), hash: z.string(), rows: z.number() })

const hashes = async (story: StoryService) =>
  (await story.cli('hash', '--all', '--json'))
    .trim()
    .split('\n')
    .map((line) => Hashes.parse(JSON.parse(line)))

/** Several imports, or a service that comes back. */
const SLOW = { timeout: 400_000 }

let disturbed: OwnStory
afterAll(stopAllStories)

describe('killed in the middle of an import', () => {
  const each = sized(24, 40)
  const articles = datedSample(3 * each)
  const parts = [0, 1, 2].map((i) => asJsonl(articles.slice(each * i, each * (i + 1))))
  let undisturbed: { readonly hashes: unknown; readonly stories: readonly string[] }

  beforeAll(async () => {
    const quiet = await startStory()
    for (const [i, part] of parts.entries()) await importAll(quiet, `part-${i}.jsonl`, part)
    undisturbed = { hashes: await settledHashes(quiet), stories: await titlePartition(quiet, 'shared') }
    await quiet.stop()
    disturbed = await startStory()
  }, SLOW.timeout)

  it('loses nothing, doubles nothing, and ends with the views of an undisturbed run', SLOW, async () => {
    // one import a blow: of a single one nothing may be left to disturb once the service is back from the first
    for (const [i, victim] of [SERVICE, CLICKHOUSE, KAFKA].entries()) {
      const before = await readable(disturbed)
      const importing = importAll(disturbed, `part-${i}.jsonl`, parts[i] ?? '', '--rate', '4')
      await until('more articles are readable', async () => ((await readable(disturbed)) > before ? true : null))
      kill(disturbed, victim)
      await importing
    }

    expect(await settledHashes(disturbed)).toEqual(undisturbed.hashes)
    expect(await titlePartition(disturbed, 'shared')).toEqual(undisturbed.stories)
  })
})

describe('a service that was killed and started again', () => {
  it('remembers an Idempotency-Key by the log, and gives the same answer', SLOW, async () => {
    const who = caller(disturbed.url, disturbed.key)
    const body = { text: A_REPORT, metadata: { url: 'https://www.example.com/killed' } }
    const submit = (sent: unknown) => who.post('/layer0/v1/process', sent, { 'idempotency-key': 'killed' })
    const first = await answered(() => submit(body), 202)
    await who.ended(String(first.body['job_id']))

    kill(disturbed, SERVICE)
    const again = await answered(() => submit(body), 202)

    expect(again.body).toEqual(first.body)
    expect(await submit({ ...body, text: `${A_REPORT} More.` })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    })
  })

  it('gives an analysis from the view as it gave it from memory', SLOW, async () => {
    const who = caller(disturbed.url, disturbed.key)
    const content = `Angela Merkel spoke in Berlin. ${A_REPORT} Angela Merkel left for Paris.`
    const article = { article_id: 'art_analyzed', title: 'Bridge', content, published_date: '2016-05-03' }
    const analyze = () => who.post('/layer1/v1/process', article)
    await analyze()
    const fromMemory = await analyze()
    await until('the view has it', async () => {
      const { body } = await who.get('/v1/entities?query=Angela%20Merkel&time_range=30d&as_of=2016-05-04')
      return JSON.stringify(body).includes('art_analyzed') ? true : null
    })

    kill(disturbed, SERVICE)
    const fromView = await answered(analyze, 200)

    expect(fromView.body).toEqual(fromMemory.body)
  })
})

function kill(story: OwnStory, victim: RegExp): void {
  const pids = story.pids(victim)
  expect(pids.length).toBeGreaterThan(0)
  pids.forEach((pid) => process.kill(pid, 'SIGKILL'))
}

const answered = (request: () => Promise<AskAnswer>, status: number): Promise<AskAnswer> =>
  until('the service is back', async () => {
    const answer = await request()
    return answer.status === status ? answer : null
  })

/**
 * Of the views that follow from the articles alone. How stories came about, and with them what was told of their graph and
 * their trends, hangs on when they were put together, and so on how long a process was away; which articles are one story
 * does not.
 */
const settledHashes = async (story: StoryService) =>
  (await hashes(story)).filter(({ view }) => !['clusters', 'stories', 'graph', 'trends'].includes(view))

/** How their command lines look. */
const SERVICE = /main\.js start all/
const CLICKHOUSE = /launcher\.cjs/
const KAFKA = /kafka\.Kafka/

/** Articles that the views hold. */
async function readable(story: StoryService): Promise<number> {
  return until('the views can be read', async () => {
    const answered = await hashes(story)
    return answered.find(({ view }) => view === 'articles')?.rows ?? null
  })
}
