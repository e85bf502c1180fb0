import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { aTemporaryFolder } from '../../test/builders/temporary-folder.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import { PlainCodec } from '../adapters/plain-codec.ts'
import { articlesIngested, type ArticleIngested } from '../events/articles.ts'
import type { LogRecord, OutRecord } from '../ports/log.ts'
import { type Checkpoint, fileCheckpoint, noCheckpoint, type CheckpointState } from './import-state.ts'
import { csvRecords } from './csv.ts'
import { importArticles, tryArticles } from './import-articles.ts'
import { jsonlRecords } from './jsonl.ts'
import { openSource } from './open-source.ts'
import type { SourceRecord } from './records.ts'
import { SourceTally } from './tally.ts'

const text =
  'The council voted on Tuesday to close the old harbour bridge for two years of costly repairs, engineers said.'
const anArticle = (n: number, over: object = {}): object => ({
  url: `https://a.example/${n}`,
  title: `T${n}`,
  text,
  ...over,
})
const lines = (...values: readonly unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n')

const bytes = (content: string | Buffer): Readable => Readable.from([Buffer.from(content)])
const handClock = { now: () => 0, sleep: async () => undefined }
const codec = new PlainCodec()

interface ImportArticlesRun {
  readonly log?: MemoryLog
  readonly checkpoint?: Checkpoint
  readonly produce?: (records: readonly OutRecord[]) => Promise<number>
}

async function run(
  records: AsyncIterable<SourceRecord>,
  { log = new MemoryLog(), checkpoint = noCheckpoint, produce }: ImportArticlesRun = {},
) {
  const tally = new SourceTally()
  const port = { produce: produce ?? log.produce.bind(log), ends: log.ends.bind(log) }
  const source = { records, namespace: 'shared', producer: 'import-jsonl', rate: null, checkpoint, file: null }
  await importArticles(
    source,
    { log: port, codec, clock: handClock, onUnavailable: () => undefined, onProgress: () => undefined },
    tally,
  )
  return { tally, events: await eventsOf(log) }
}

async function eventsOf(log: MemoryLog): Promise<ArticleIngested[]> {
  const found: LogRecord[] = []
  for await (const chunk of log.read('articles.ingested', 0, 0)) found.push(...chunk)
  const decoded = await Promise.all(found.map(({ value }) => codec.decode(articlesIngested, value ?? Buffer.alloc(0))))
  return decoded.flatMap((one) => (one.kind === 'event' ? [one.event] : []))
}

it('accepts articles, counts revisions and repeats, and refuses bad lines by their number while the rest goes on', async () => {
  const file = lines(
    anArticle(1),
    '{"url": "https://',
    anArticle(2, { text: 'short' }),
    '',
    anArticle(1, { title: 'New' }),
    anArticle(1),
    '[1]',
    anArticle(3, { published_date: 'soon' }),
    anArticle(4, { topic: 7, published_date: '2018-01-02' }),
  )

  const { tally, events } = await run(jsonlRecords(bytes(file)))

  expect(tally).toMatchObject({ accepted: 4, articles: 2, revisions: 1, repeats: 1 })
  expect(tally.refusals).toEqual([
    { line: 2, reason: 'malformed_line', message: 'malformed_line (not a JSON object)' },
    {
      line: 3,
      reason: 'text_too_short',
      field: 'text',
      message: 'text_too_short (5 of at least 100 characters)',
    },
    { line: 7, reason: 'malformed_line', message: 'malformed_line (not a JSON object)' },
    {
      line: 8,
      reason: 'published_date_invalid',
      field: 'published_date',
      value: 'soon',
      message: 'published_date "soon" is not an ISO 8601 date (2026-11-20)',
    },
  ])
  expect(events.map(({ title }) => title)).toEqual(['T1', 'New', 'T1', 'T4'])
  expect(events[3]).toMatchObject({
    namespace: 'shared',
    producer: 'import-jsonl',
    published_date: Date.UTC(2018, 0, 2),
  })
})

it('gives the same content the same event id, whenever and wherever it is imported', async () => {
  const once = await run(jsonlRecords(bytes(lines(anArticle(1), anArticle(2)))))
  const again = await run(jsonlRecords(bytes(lines(anArticle(2), anArticle(1)))))

  expect(again.events.map(({ event_id }) => event_id).sort()).toEqual(
    once.events.map(({ event_id }) => event_id).sort(),
  )
})

it('goes on after the last batch the log took when it was killed, and reports as if it had not been', async () => {
  const file = lines(...Array.from({ length: 1200 }, (_, n) => anArticle(n)))
  const log = new MemoryLog()
  const checkpoint = rememberingCheckpoint()
  const killed = new Error('killed')
  const upToTheKill = (async function* () {
    let n = 0
    for await (const record of jsonlRecords(bytes(file))) {
      if (++n > 1100) throw killed
      yield record
    }
  })()

  await expect(run(upToTheKill, { log, checkpoint })).rejects.toBe(killed)
  const resumed = await run(jsonlRecords(bytes(file)), { log, checkpoint })

  expect(resumed.tally).toMatchObject({ accepted: 1200, articles: 1200 })
  expect(resumed.events.map(({ title }) => title)).toEqual(Array.from({ length: 1200 }, (_, n) => `T${n}`))
  expect(checkpoint.load()).toBeNull()
})

it('notes nothing as done that the log has not taken, however it ends', async () => {
  const file = lines(...Array.from({ length: 600 }, (_, n) => anArticle(n)))
  const checkpoint = rememberingCheckpoint()
  const log = new MemoryLog()
  const killed = new Promise<never>(() => undefined)
  let onCall: () => void = () => undefined
  const inHand = new Promise<void>((resolve) => {
    onCall = resolve
  })
  const unanswered = async () => {
    onCall()
    return killed
  }

  void run(jsonlRecords(bytes(file)), { log, checkpoint, produce: unanswered })
  await inHand
  const others = Array.from({ length: 600 }, (_, n) => anArticle(n, { url: `https://b.example/${n}`, title: 'other' }))
  await run(jsonlRecords(bytes(lines(...others))), { log }) // the log has grown, though not by ours
  const resumed = await run(jsonlRecords(bytes(file)), { log, checkpoint })

  const ours = resumed.events.map(({ title }) => title).filter((title) => title !== 'other')
  expect(ours).toEqual(Array.from({ length: 600 }, (_, n) => `T${n}`))
})

it('begins anew when the log is not the one its checkpoint knew', async () => {
  const checkpoint = rememberingCheckpoint({ records: 2, logEnd: 2 })

  const { events } = await run(jsonlRecords(bytes(lines(anArticle(1), anArticle(2)))), { checkpoint })

  expect(events).toHaveLength(2)
})

it('rides out a log that is away, and loses nothing', async () => {
  const log = new MemoryLog()
  let failures = 3
  const produce: ImportArticlesRun['produce'] = async (records) => {
    if (failures-- > 0) throw new Error('broker restarting')
    return log.produce(records)
  }

  const { events } = await run(jsonlRecords(bytes(lines(anArticle(1), anArticle(2)))), { log, produce })

  expect(events).toHaveLength(2)
})

it('reads CSV with quotes, line breaks, a byte order mark and rows of the wrong width', async () => {
  const csv = `\ufefftitle,url,text,extra\n"A ""quoted"" title",https://a.example/1,"${text}\nand more",x\nshort,row\nB,https://a.example/2,${text.replaceAll(',', ';')},\n`

  const { tally, events } = await run(csvRecords(bytes(csv)))

  expect(events.map(({ title, url }) => [title, url])).toEqual([
    ['A "quoted" title', 'https://a.example/1'],
    ['B', 'https://a.example/2'],
  ])
  const message = 'malformed_line (not as many columns as the header)'
  expect(tally.refusals).toEqual([{ line: 4, reason: 'malformed_line', message }])
})

it('names every line that a quote without its partner swallows, each once and in order', async () => {
  const row = (n: number): string => `https://a.example/${n},T${n},"${text}"`
  const csv = [
    'url,title,text',
    row(1),
    `https://a.example/2,B "x" y,"${text}"`,
    row(3),
    `https://a.example/4,"${text}`,
    row(5),
  ]

  const { tally, events } = await run(csvRecords(bytes(csv.join('\n'))))

  expect(events.map(({ url }) => url)).toEqual(['https://a.example/1', 'https://a.example/3'])
  expect(tally.refusals.map(({ line }) => line)).toEqual([3, 5, 6])
})

it('refuses a line that is no UTF-8, instead of changing its text', async () => {
  const line = Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0xff, 0xfe]), Buffer.from(`${text}"}\n`)])

  const { tally } = await run(jsonlRecords(Readable.from([line])))

  expect(tally.refusals).toEqual([{ line: 1, reason: 'malformed_line', message: 'malformed_line' }])
})

it('unpacks gzip whatever the name, and tells a broken archive', async () => {
  const folder = aTemporaryFolder()
  const packed = gzipSync(lines(anArticle(1)))
  writeFileSync(join(folder, 'whole'), packed)
  writeFileSync(join(folder, 'broken.gz'), packed.subarray(0, packed.length - 12))
  const tally = new SourceTally()
  const source = { namespace: 'shared', producer: 'test', file: null }
  const recordsOf = async (name: string) => jsonlRecords((await openSource(join(folder, name), process.stdin)).bytes)

  await tryArticles({ ...source, records: await recordsOf('whole') }, tally)

  expect(tally.accepted).toBe(1)
  await expect(tryArticles({ ...source, records: await recordsOf('broken.gz') }, new SourceTally())).rejects.toThrow(
    /unexpected end/,
  )
})

it('keeps a checkpoint through a restart, and forgives a broken one', () => {
  const home = aTemporaryFolder()
  const identity = { fingerprint: 'ab'.repeat(32), namespace: 'shared' }
  fileCheckpoint(home, identity).save({ records: 7, logEnd: 9 })

  expect(fileCheckpoint(home, identity).load()).toEqual({ records: 7, logEnd: 9 })
  expect(fileCheckpoint(home, { ...identity, namespace: 'other' }).load()).toBeNull()

  writeFileSync(join(home, 'imports', `${'ab'.repeat(16)}-shared.json`), '{')
  expect(fileCheckpoint(home, identity).load()).toBeNull()
})

function rememberingCheckpoint(saved: CheckpointState | null = null): Checkpoint {
  let now = saved
  return { load: () => now, save: (next) => (now = next), clear: () => (now = null) }
}
