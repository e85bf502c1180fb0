import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { MemoryLog } from '../adapters/memory-log.ts'
import { PlainCodec } from '../adapters/plain-codec.ts'
import { discoursePosts, type PostObserved } from '../events/discourse.ts'
import { clockTicked } from '../events/settings.ts'
import { importPosts } from './import-posts.ts'
import { jsonlRecords } from './jsonl.ts'

const codec = new PlainCodec()
const clock = { now: () => 0, sleep: async () => undefined }
const aLine = (over: object = {}): object => ({
  platform: 'reddit',
  post_id: 't1_x',
  text: 'They said the same last year.',
  created_at: '2013-06-14T08:00:00Z',
  ...over,
})

async function imported(lines: readonly object[], { log = new MemoryLog(), namespace = 'shared' } = {}) {
  const records = jsonlRecords(Readable.from([Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))]))
  const tally = await importPosts(
    { records, namespace, rate: null },
    { log, codec, clock, onUnavailable: () => undefined },
  )
  const events: PostObserved[] = []
  for await (const chunk of log.read(discoursePosts.name, 0, 0)) {
    for (const { value } of chunk) {
      const decoded = await codec.decode(discoursePosts, value ?? Buffer.alloc(0))
      if (decoded.kind === 'event') events.push(decoded.event)
    }
  }
  return { tally, events, ids: events.map(({ event_id }) => event_id) }
}

it('writes the same events when a file is imported twice', async () => {
  const log = new MemoryLog()

  await imported([aLine(), aLine({ post_id: 't1_y' })], { log })
  const { ids } = await imported([aLine(), aLine({ post_id: 't1_y' })], { log })

  expect(ids.slice(2)).toEqual(ids.slice(0, 2))
  expect(new Set(ids).size).toBe(2)
  expect(ids[0]).toMatch(/^evt_[a-z2-7]{26}$/)
})

it('gives another text, score, deletion, platform or namespace another id', async () => {
  const lines = [{}, { text: 'No.' }, { score: 1 }, { deleted: true }, { platform: 'bluesky' }].map(aLine)

  const [here, there] = [await imported(lines), await imported(lines, { namespace: 'other' })]

  expect(new Set([...here.ids, ...there.ids]).size).toBe(10)
})

it('reports what it refuses with its line, and takes the rest', async () => {
  const { tally, events } = await imported([
    aLine({ platform: 'usenet' }),
    aLine(),
    aLine({ text: 'x'.repeat(40_001) }),
  ])

  expect(events).toHaveLength(1)
  expect(tally).toEqual({
    accepted: 1,
    refusals: [
      { line: 1, reason: 'platform_invalid', field: 'platform' },
      { line: 3, reason: 'text_too_long', field: 'text' },
    ],
  })
})

it('ends with a word that nothing more comes, unless nothing came', async () => {
  const [some, none] = [new MemoryLog(), new MemoryLog()]

  await imported([aLine(), aLine({ post_id: 't1_y' })], { log: some, namespace: 'lab' })
  await imported([aLine({ platform: 'usenet' })], { log: none })

  const ticks: object[] = []
  for await (const chunk of some.read(clockTicked.name, 0, 0)) {
    for (const { value } of chunk) if (value !== null) ticks.push(await codec.decode(clockTicked, value))
  }
  expect(ticks).toMatchObject([{ kind: 'event', event: { namespace: 'lab', flush: true } }])
  expect(await none.ends(clockTicked.name)).toEqual([0])
})
