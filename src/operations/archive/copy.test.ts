import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Restorer } from '../../ports/restorer.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import type { Manifest } from './manifest.ts'
import { schemaIdOf } from './record.ts'
import { pipeline } from '../../pipeline.ts'
import { dispatching } from '../../stages/delivered/effect.ts'
import { exportTo, resumeOffset, type ExportPorts } from './export.ts'
import { archiveIn, openArchive } from './folder.ts'
import { checkEmpty, registerAll, restore, type ArchiveImportPorts } from './import.ts'
import { groupsOf } from './topics.ts'
import { verify } from './verify.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'archive-'))
})
afterEach(() => {
  rmSync(dir, { recursive: true, force: true })
})

const TOPIC = 'articles.clustered'
/** `TOPIC` and the topics that `linked` writes. */
const TOPICS = [TOPIC, 'stories.linked', 'linked.memory']
const value = (text: string) => Buffer.concat([Buffer.from([0, 0, 0, 0, 7]), Buffer.from(text)])
const say = (log: MemoryLog, words: readonly string[]) =>
  log.produce(words.map((word) => ({ topic: TOPIC, key: word, value: value(word), headers: { own: word } })))

/** Two transactions, each followed by a marker, with non-transactional records between them. */
async function aLog(): Promise<MemoryLog> {
  let now = 1_000
  const log = new MemoryLog({ now: () => now++ })
  const writer = await log.writer('w')
  const commit = (words: readonly string[]) =>
    writer.write(
      words.map((word) => ({ topic: TOPIC, key: word, value: value(word) })),
      { group: 'linked', next: [{ topic: TOPIC, partition: 0, offset: 2 }] },
    )
  await commit(['one', 'two'])
  await say(log, ['three'])
  await commit(['four'])
  return log
}

async function exporting(log: MemoryLog, over: Partial<ExportPorts> = {}, topics = TOPICS): Promise<Manifest> {
  const { folder, manifest } = archiveIn(dir)
  const ends = await log.ends(TOPIC)
  const { from } = resumeOffset(manifest, { topic: TOPIC, partition: 0 }, { start: 0, from: null })
  return exportTo(
    {
      log,
      folder,
      schemaText: (id) => Promise.resolve(`"schema ${id}"`),
      onDone: () => undefined,
      ...over,
    },
    manifest,
    {
      topics: topics.map((topic) => ({ topic, partitions: 1 })),
      range: [{ topic: TOPIC, partition: 0, from, to: ends[0] ?? 0 }],
      groups: await groupsOf(log, topics),
    },
  )
}

/** Test double: restores records like a broker. */
const restorerInto = (log: MemoryLog): Restorer => ({
  put: async ({ topic, partition }, stretch) => {
    const held = log.partition(topic, partition)
    if (stretch.kind === 'nothing') held.end += stretch.offsets
    if (stretch.kind === 'tombstone') held.end += 1
    if (!('records' in stretch)) return
    for (const { key, value: bytes, headers, timestamp } of stretch.records) {
      held.records.push({ topic, partition, offset: held.end++, key, value: bytes, headers, loggedAt: timestamp })
    }
    if (stretch.kind === 'committed') held.end += 1
    await Promise.resolve()
  },
  close: () => Promise.resolve(),
})

const importing = (log: MemoryLog): ArchiveImportPorts => ({
  log,
  clock: { sleep: () => Promise.resolve() },
  folder: openArchive(dir).folder,
  register: (_, text) => Promise.resolve(text === '"schema 7"' ? 41 : 0),
  restorer: () => Promise.resolve(restorerInto(log)),
  onRecords: () => undefined,
})

describe('a log that went through an archive', () => {
  it('is the same: places, times, keys, headers, where it ends, and how far stages had read', async () => {
    const log = await aLog()
    await exporting(log)
    await say(log, ['five']) // records that were added since the export
    const manifest = await exporting(log)
    const copy = new MemoryLog()

    await restore(importing(copy), manifest, await registerAll(importing(copy), manifest))

    const known = (one: MemoryLog) =>
      one.records(TOPIC).map(({ value: bytes, ...rest }) => ({ ...rest, text: bytes?.subarray(5) }))
    expect(known(copy)).toEqual(known(log))
    expect(copy.records(TOPIC).map((record) => schemaIdOf(record.value))).toEqual(known(log).map(() => 41))
    expect(await copy.ends(TOPIC)).toEqual(await log.ends(TOPIC))
    expect(await copy.committed('linked', TOPIC)).toEqual([2])
    expect(await copy.committed('enriched', TOPIC)).toEqual([null])
  })

  it('goes on nowhere that something is missing of: what was read led to records that are not there', async () => {
    const log = await aLog()
    const manifest = await exporting(log, {}, [TOPIC])
    const copy = new MemoryLog()

    await restore(importing(copy), manifest, new Map([[7, 41]]))

    expect(await copy.committed('linked', TOPIC)).toEqual([null])
  })

  it('goes on where it did at the export before, when the newest was killed', async () => {
    const log = await aLog()
    const before = await exporting(log)
    const writer = await log.writer('w')
    const next = [{ topic: TOPIC, partition: 0, offset: 5 }]
    const ofAnother = Buffer.from([0, 0, 0, 0, 8, 1])
    await writer.write([{ topic: TOPIC, key: 'five', value: ofAnother }], { group: 'linked', next })

    await expect(exporting(log, { schemaText: () => Promise.reject(new Error('away')) })).rejects.toThrow()

    expect(openArchive(dir).manifest.groups).toEqual(before.groups)
  })

  it('has no file of nothing behind one that was full', async () => {
    const log = new MemoryLog()
    const large = Buffer.concat([Buffer.from([0, 0, 0, 0, 7]), Buffer.alloc(70_000_000)])
    await log.produce([{ topic: TOPIC, key: null, value: large }])

    const { files } = await exporting(log)

    expect(files.map(({ from, to }) => [from, to])).toEqual([[0, 1]])
  })

  it('is not mixed with another', async () => {
    const log = await aLog()
    const manifest = await exporting(log)

    await expect(checkEmpty({ log }, manifest)).rejects.toThrow('articles.clustered contains records')
    await expect(checkEmpty({ log: new MemoryLog({ partitions: () => 2 }) }, manifest)).rejects.toThrow(
      '2 partition(s)',
    )
    await expect(checkEmpty({ log: new MemoryLog() }, manifest)).resolves.toBeUndefined()
  })
})

describe('an export', () => {
  it('that is killed before its file is in the manifest is made again, and nothing is in it twice', async () => {
    const log = await aLog()
    await exporting(log)
    await say(log, ['five'])
    const { folder } = archiveIn(dir)
    const dies = Object.assign(Object.create(folder) as typeof folder, {
      writeManifest: (manifest: Manifest) => {
        if (manifest.files.length > 1) throw new Error('killed')
        folder.writeManifest(manifest)
      },
    })
    await expect(exporting(log, { folder: dies })).rejects.toThrow('killed')

    const manifest = await exporting(log)

    expect(manifest.files.map(({ from, to, records }) => [from, to, records])).toEqual([
      [0, 6, 4],
      [6, 7, 1],
    ])
    expect(verify(folder, manifest, () => undefined)).toMatchObject({ files: 2, records: 5, problems: [] })
  })

  it('that finds nothing new adds nothing', async () => {
    const log = await aLog()

    expect((await exporting(log)).files).toEqual((await exporting(log)).files)
  })

  it('tells what the log has let go since the last one', () => {
    const manifest = { ...archiveIn(dir).manifest, topics: [{ topic: TOPIC, partitions: 1 }] }
    const file = { path: 'a', topic: TOPIC, partition: 0, from: 0, to: 5, records: 5, bytes: 1, sha256: 'a'.repeat(64) }
    const held = { ...manifest, files: [{ ...file, first_timestamp: 1, last_timestamp: 1 }] }
    const partition = { topic: TOPIC, partition: 0 }

    expect(resumeOffset(held, partition, { start: 9, from: null })).toEqual({ from: 9, lost: 4 })
    expect(resumeOffset(held, partition, { start: 0, from: 2 })).toEqual({ from: 5, lost: 0 })
    expect(resumeOffset(manifest, partition, { start: 3, from: 7 })).toEqual({ from: 7, lost: 0 })
  })
})

it('verify finds a file that was changed, cut off or lost, and a schema that is gone', async () => {
  const manifest = await exporting(await aLog())
  const { folder } = openArchive(dir)
  const [path, schema] = [join(dir, manifest.files[0]?.path ?? ''), join(dir, 'schemas/7.avsc')]
  const whole = readFileSync(path)
  const problems = () => verify(folder, manifest, () => undefined).problems
  expect(problems()).toEqual([])

  writeFileSync(path, whole.subarray(0, -1))
  expect(problems()).toEqual([expect.stringContaining('SHA-256')])
  rmSync(path)
  rmSync(schema)
  expect(problems()).toEqual(['schemas/7.avsc: missing', expect.stringContaining('missing')])
})

it('verify reads no device and no pipe that an archive has in place of a file', async () => {
  const manifest = await exporting(await aLog())
  const { folder } = openArchive(dir)
  const [path, schema] = [join(dir, manifest.files[0]?.path ?? ''), join(dir, 'schemas/7.avsc')]
  rmSync(path)
  rmSync(schema)
  symlinkSync('/dev/zero', path)
  execFileSync('mkfifo', [schema])

  const { problems } = verify(folder, manifest, () => undefined)

  expect(problems).toEqual([
    'schemas/7.avsc: schemas/7.avsc is not a regular file',
    expect.stringContaining('is not a regular file'),
  ])
})

it('knows the group in which deliveries are attempted', () => {
  expect(dispatching({} as Parameters<typeof dispatching>[0]).group).toBe(pipeline.effects.delivered.group)
})
