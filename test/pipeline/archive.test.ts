import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { parseManifest, type Manifest } from '../../src/archive/manifest.ts'
import { archiveIn } from '../../src/cli/archive/folder.ts'
import type { LogRecord } from '../../src/ports/log.ts'
import { asJsonl, sampleArticles } from './dated-sample.ts'
import { startStory, stopAllStories, type Story } from './story.ts'
import { until } from './until.ts'

const SLOW = { timeout: 500_000 }
const Hash = z.object({ view: z.string(), hash: z.string(), rows: z.number() })
type Hashes = readonly z.infer<typeof Hash>[]

let dir: string
let first: {
  readonly hashes: Hashes
  readonly log: ReadonlyMap<string, readonly LogRecord[]>
  readonly manifest: Manifest
}

const hashes = async (story: Story): Promise<Hashes> =>
  (await story.cli('hash', '--all', '--json'))
    .trim()
    .split('\n')
    .map((line) => Hash.parse(JSON.parse(line)))

async function withLog<Answer>(story: Story, ask: (log: KafkaLog) => Promise<Answer>): Promise<Answer> {
  const { KAFKA_BROKERS = '' } = await story.running()
  const log = new KafkaLog({ brokers: KAFKA_BROKERS.split(','), clientId: 'archive-test' })
  try {
    return await ask(log)
  } finally {
    await log.close()
  }
}

/** What the archive tells of, as the log has it. */
const recordsOf = async (story: Story, { files }: Manifest) =>
  await withLog(story, async (log) => {
    const found = new Map<string, readonly LogRecord[]>()
    for (const { topic, to } of files) {
      const records: LogRecord[] = []
      for await (const chunk of log.read(topic, 0, 0)) records.push(...chunk.filter(({ offset }) => offset < to))
      found.set(topic, records)
    }
    return found
  })

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'story-archive-'))
  const story = await startStory()
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
  await story.stop()
}, 500_000)
afterAll(async () => {
  await stopAllStories()
  await rm(dir, { recursive: true, force: true })
})

it('goes to another home through an archive: the same log, the same views', SLOW, async () => {
  const story = await startStory('--archive', dir)

  const found = await until('the views are built from the log', async () => {
    const now = await hashes(story)
    return JSON.stringify(now) === JSON.stringify(first.hashes) ? now : null
  }).catch(async () => await hashes(story))

  expect(found).toEqual(first.hashes)
  const copied = await recordsOf(story, first.manifest)
  expect(plain(copied)).toEqual(plain(first.log))
  const dead = await story.cli('dead', 'list', '--summary', '--json')
  expect(JSON.parse(dead)).toMatchObject({ total: 1, counts: [{ stage: 'scored', reason: 'malformed_avro' }] })

  // an archive is for an empty log
  await expect(story.cli('archive', 'import', dir)).rejects.toThrow('an archive is imported into an empty log')
  const verified: unknown = JSON.parse(await story.cli('archive', 'verify', dir, '--json'))
  expect(verified).toMatchObject({ problems: [], records: first.manifest.files.reduce((sum, f) => sum + f.records, 0) })
})

/** All of a record but the id of its schema, which is the registry's. */
const plain = (log: ReadonlyMap<string, readonly LogRecord[]>) =>
  Object.fromEntries(
    [...log].map(([topic, records]) => [
      topic,
      records.map(({ value, ...rest }) => ({ ...rest, value: value?.subarray(5).toString('hex') ?? null })),
    ]),
  )

it('is read by whoever reads JSON and Avro: its manifest tells all that is in it', () => {
  const { manifest } = archiveIn(dir)

  expect(parseManifest(JSON.stringify(manifest))).toEqual(first.manifest)
  expect(manifest.topics.map(({ topic }) => topic)).toContain('clustered.memory')
})
