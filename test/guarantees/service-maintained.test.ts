import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { parseManifest, type Manifest } from '../../src/operations/archive/manifest.ts'
import { archiveIn } from '../../src/operations/archive/folder.ts'
import { anyFreePort } from '../../src/engines/free-port.ts'
import type { LogRecord } from '../../src/ports/log.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { sized } from '../builders/sizes.ts'
import { asJsonl, sampleArticles } from '../pipeline/dated-sample.ts'
import { startStory, stopAllStories, type OwnStory, type StoryService } from '../pipeline/story.ts'
import { until } from '../pipeline/until.ts'

/** What operators do to a service that holds data: archive, rebuild, restart. All on one service, in this order. */

const SLOW = { timeout: 500_000 }
const MAIN = projectPath('dist/main.js')

let story: OwnStory
beforeAll(async () => {
  vi.stubEnv('DRAIN_SECONDS', '5') // as on Kubernetes: longer than three probes, on a busy machine too
  story = await startStory()
}, SLOW.timeout)
afterAll(stopAllStories)

const Hash = z.object({ view: z.string(), hash: z.string(), rows: z.number() })
type Hashes = readonly z.infer<typeof Hash>[]

const hashes = async (story: StoryService): Promise<Hashes> =>
  (await story.cli('hash', '--all', '--json'))
    .trim()
    .split('\n')
    .map((line) => Hash.parse(JSON.parse(line)))

async function withLog<Answer>(story: StoryService, ask: (log: KafkaLog) => Promise<Answer>): Promise<Answer> {
  const { KAFKA_BROKERS = '' } = await story.running()
  const log = new KafkaLog({ brokers: KAFKA_BROKERS.split(','), clientId: 'archive-test' })
  try {
    return await ask(log)
  } finally {
    await log.close()
  }
}

/** What the archive tells of, as the log has it. */
const recordsOf = (story: StoryService, { files }: Manifest) =>
  withLog(story, async (log) => {
    const found = new Map<string, readonly LogRecord[]>()
    for (const { topic, to } of files) {
      const records: LogRecord[] = []
      for await (const chunk of log.read(topic, 0, 0)) records.push(...chunk.filter(({ offset }) => offset < to))
      found.set(topic, records)
    }
    return found
  })

/** All of a record but the id of its schema, which is the registry's. */
const plain = (log: ReadonlyMap<string, readonly LogRecord[]>) =>
  Object.fromEntries(
    [...log].map(([topic, records]) => [
      topic,
      records.map(({ value, ...rest }) => ({ ...rest, value: value?.subarray(5).toString('hex') ?? null })),
    ]),
  )

describe('an archive', () => {
  let dir: string
  let first: {
    readonly hashes: Hashes
    readonly log: ReadonlyMap<string, readonly LogRecord[]>
    readonly manifest: Manifest
  }

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'story-archive-'))
    const importing = async (name: string, text: string) => {
      await writeFile(join(story.home, name), text)
      await story.cli('import', 'jsonl', join(story.home, name), '--wait')
    }
    const articles = sampleArticles(60)
    await importing('a.jsonl', asJsonl(articles.slice(0, 40)))
    await withLog(story, async (log) => {
      const value = Buffer.from('no event')
      await log.produce([{ topic: 'articles.ingested', key: null, value, headers: { own: 'header' } }])
    })
    await story.cli('archive', 'export', '--all', '--to', dir)
    await importing('b.jsonl', asJsonl(articles.slice(40)))
    const before = await hashes(story)
    await story.cli('archive', 'export', '--all', '--to', dir) // what has come since
    const { manifest } = archiveIn(dir)
    first = { hashes: before, manifest, log: await recordsOf(story, manifest) }
  }, 900_000)
  afterAll(async () => {
    await rm(dir, { recursive: true, force: true })
  })

  it('goes to another home through an archive: the same log, the same views', SLOW, async () => {
    const restored = await startStory('--archive', dir)

    const found = await until('the views are built from the log', async () => {
      const now = await hashes(restored)
      return JSON.stringify(now) === JSON.stringify(first.hashes) ? now : null
    }).catch(() => hashes(restored))

    expect(found).toEqual(first.hashes)
    const copied = await recordsOf(restored, first.manifest)
    expect(plain(copied)).toEqual(plain(first.log))
    const dead = await restored.cli('dead', 'list', '--summary', '--json')
    expect(JSON.parse(dead)).toMatchObject({ total: 1, counts: [{ stage: 'scored', reason: 'malformed_avro' }] })

    // an archive is for an empty log
    await expect(restored.cli('archive', 'import', dir)).rejects.toThrow(
      'An archive can only be imported into an empty log',
    )
    const verified: unknown = JSON.parse(await restored.cli('archive', 'verify', dir, '--json'))
    expect(verified).toMatchObject({
      problems: [],
      records: first.manifest.files.reduce((sum, f) => sum + f.records, 0),
    })
    await restored.stop()
  })

  it('is read by whoever reads JSON and Avro: its manifest tells all that is in it', () => {
    const { manifest } = archiveIn(dir)

    expect(parseManifest(JSON.stringify(manifest))).toEqual(first.manifest)
    expect(manifest.topics.map(({ topic }) => topic)).toContain('clustered.memory')
  })
})

const lines = async (...args: string[]): Promise<readonly Record<string, unknown>[]> =>
  (await story.cli(...args, '--json'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** Stories go on from state to state while the test runs: this view may gain rows, and loses none. */
const MOVED_BY_TIME = 'stories'

async function asItWas(before: readonly Record<string, unknown>[]): Promise<void> {
  const now = await lines('hash', '--all')
  const still = (views: typeof now) => views.filter(({ view }) => view !== MOVED_BY_TIME)
  const rows = (views: typeof now) => Number(views.find(({ view }) => view === MOVED_BY_TIME)?.['rows'])
  expect(still(now)).toEqual(still(before))
  expect(rows(now)).toBeGreaterThanOrEqual(rows(before))
}

/** Begins a rebuild of every view and kills it at a word of its progress. */
async function killedAt(word: RegExp): Promise<string> {
  const child = spawn(process.execPath, [MAIN, 'rebuild', '--all', '--json'], {
    env: {
      ...process.env,
      STORY_HOME: story.home,
      LOG_LEVEL: 'warn',
      ENCODER_VECTOR_CACHE: join(homedir(), '.cache', 'story-intelligence', 'test-vectors'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    if (word.test(said)) child.kill('SIGKILL')
  })
  await ended
  return said
}

describe('a rebuild', () => {
  beforeAll(async () => {
    const file = join(story.home, 'to-rebuild.jsonl')
    await writeFile(file, asJsonl(sampleArticles(sized(120, Infinity))))
    await story.cli('import', 'jsonl', file, '--wait')
  }, SLOW.timeout)

  it('a rebuild of every view that is killed goes on when it is asked for again, and all is as it was', async () => {
    const before = await lines('hash', '--all')

    await killedAt(/began/)
    await killedAt(/comparing/)
    const rebuilt = await lines('rebuild', '--all')

    expect(rebuilt.length).toBeGreaterThan(8)
    expect(rebuilt.filter(({ exchanged }) => exchanged !== true)).toEqual([])
    await asItWas(before)
    // the service goes on as before, and so do the tables it had
    expect((await story.get('/v1/clusters?time_range=7d')).status).toBe(200)
    expect((await lines('rebuild', 'clusters', '--rollback'))[0]).toMatchObject({ view: 'clusters' })
    await asItWas(before)
  }, 900_000)
})

const ARTICLES = 30
/** So many refusals in a row take a process out, as Kubernetes does; a drain takes longer. */
const PROBES = 3
const SERVICE = /main\.js start all/

const others: ChildProcess[] = []
afterAll(() => {
  for (const child of others) child.kill('SIGKILL')
})

/** A second process of every role beside the one of `story up`, on the same engines. */
async function startAnother(story: StoryService, port: number): Promise<ChildProcess> {
  const environment = { ...process.env, STORY_HOME: story.home, PORT: `${port}`, LOG_LEVEL: 'warn' }
  const child = spawn(process.execPath, [MAIN, 'start', 'all'], { env: environment, stdio: 'ignore' })
  others.push(child)
  await until('the second process is ready', async () => ((await isReady(`http://127.0.0.1:${port}`)) ? true : null))
  return child
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    async (response) => {
      await response.arrayBuffer()
      return response.ok
    },
    () => false,
  )

/** Reads as a load balancer passes them on: by turns to whoever said a moment ago that he is ready. */
function readers(urls: readonly string[], key: string) {
  const ending = new AbortController()
  const ready = new Map(urls.map((url) => [url, true]))
  const failed: string[] = []
  let reads = 0
  const probe = async (url: string): Promise<void> => {
    for (let refused = 0; !ending.signal.aborted;) {
      refused = (await isReady(url)) ? 0 : refused + 1
      ready.set(url, refused < PROBES)
      await setTimeout(150)
    }
  }
  const read = async (): Promise<void> => {
    for (let turn = 0; !ending.signal.aborted; turn++) {
      const open = urls.filter((url) => ready.get(url) === true)
      const url = open[turn % open.length]
      reads += 1
      const status = url === undefined ? 'nobody was ready' : await statusOf(`${url}/v1/clusters?limit=5`, key)
      if (status !== 200) failed.push(`${url ?? ''} ${status}`)
      await setTimeout(20)
    }
  }
  const work = Promise.all([...urls.map(probe), read(), read()])
  return {
    /** As whoever restarts waits before the next one. */
    untilPassedTo: (url: string) =>
      until(`${url} gets reads`, () => Promise.resolve(ready.get(url) === true ? true : null)),
    /** A slow machine reads for longer, not less. */
    untilReadsAre: (least: number) => until(`${least} reads`, () => Promise.resolve(reads >= least ? true : null)),
    /** Ends the reads; returns those that failed. */
    end: async () => {
      ending.abort()
      await work
      return failed
    },
    count: () => reads,
  }
}

const statusOf = (url: string, key: string): Promise<number | string> =>
  fetch(url, { headers: { authorization: `Bearer ${key}` } }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status
    },
    (cause: unknown) => String(cause instanceof Error ? (cause.cause ?? cause) : cause),
  )

const Lag = z.object({ total: z.number() })

/** Articles that the service has not seen: those of the sample under other addresses. */
const newArticles = () =>
  sampleArticles(ARTICLES).map((article, i) => ({ ...article, url: `https://restarts.example/${i}` }))

/** Rows of the view's table of articles. */
async function articlesShown(): Promise<number> {
  const { tables } = z
    .object({ tables: z.array(z.object({ table: z.string(), rows: z.number() })) })
    .parse(JSON.parse(await story.cli('hash', 'articles', '--json')))
  return tables.find(({ table }) => table === 'articles')?.rows ?? 0
}

it(
  'processes are restarted one after the other: no read fails, nothing of an import is lost or doubled',
  { timeout: 400_000 },
  async () => {
    const before = await articlesShown()
    const port = await anyFreePort()
    const url = `http://127.0.0.1:${port}`
    const second = await startAnother(story, port)
    const file = join(story.home, 'restarts.jsonl')
    await writeFile(file, asJsonl(newArticles()))
    const importing = story.cli('import', 'jsonl', file, '--wait', '--json', '--rate', '2')
    const reading = readers([story.url, url], story.key)

    const ended = once(second, 'exit')
    second.kill('SIGTERM')
    expect((await ended)[0]).toBe(0)
    await startAnother(story, port)
    await reading.untilPassedTo(url)
    const readInTheFirstRestart = reading.count()
    expect(readInTheFirstRestart).toBeGreaterThan(0)
    const [first] = story.pids(SERVICE)
    process.kill(first ?? -1, 'SIGTERM') // `story up` starts another in its place
    await until('the first process is another one, and ready', async () => {
      const now = story.pids(SERVICE)[0]
      return now !== undefined && now !== first && (await isReady(story.url)) ? true : null
    })
    expect(reading.count()).toBeGreaterThan(readInTheFirstRestart)

    const imported = z.object({ accepted: z.number(), articles: z.number() }).parse(JSON.parse(await importing))
    await reading.untilReadsAre(200)
    expect(await reading.end()).toEqual([])
    expect((await articlesShown()) - before).toBe(imported.articles)
    // an import waits for stories and their view, not for every reader
    await until('everything is read', async () => {
      const { total } = Lag.parse(JSON.parse(await story.cli('lag', '--json', '--for', '0')))
      return total === 0 ? true : null
    })
  },
)
