import { expect, it } from 'vitest'
import { MemoryLog } from '../adapters/memory-log.ts'
import { PlainCodec } from '../adapters/plain-codec.ts'
import { clockTicked } from '../events/settings.ts'
import type { BoundQuery, Store } from '../ports/store.ts'
import { ingested } from './ingested-event.ts'
import { settleStories } from './settle-stories.ts'
import { SourceTally } from './tally.ts'

const text =
  'The council voted on Tuesday to close the old harbour bridge for two years of costly repairs, engineers said.'

/** A store double in which some articles are readable. */
function aStore(tally: SourceTally, readable: ReadonlySet<string>): Store {
  const query = async <Out>({ parse }: BoundQuery<Out>): Promise<readonly Out[]> =>
    [...readable].map((id) => parse({ article_id: id, content_hashes: [...(tally.contents.get(id) ?? [])] }))
  const unused = () => Promise.reject(new Error('not used here'))
  return { query, insert: unused, command: unused, ping: unused, close: unused }
}

/** An import into a namespace of its own, with `articles` accepted; each wait of it moves the clock and lets `then` happen. */
function anImport({
  articles = 1,
  then = () => undefined,
}: { articles?: number; then?: (log: MemoryLog) => void } = {}) {
  const log = new MemoryLog()
  const tally = new SourceTally()
  for (let i = 0; i < articles; i++) {
    const fields = {
      url: `https://a.example/${i}`,
      title: null,
      source: null,
      author: null,
      published_date: null,
      text,
    }
    tally.accept(ingested(fields, { namespace: 'lab', producer: 'test' }))
  }
  let now = 1000
  const said: string[] = []
  const readable = new Set<string>()
  const ports = {
    log: async () => log,
    codec: async () => new PlainCodec(),
    store: async () => aStore(tally, readable),
    clock: {
      now: () => now,
      sleep: async (ms: number) => {
        now += ms
        then(log)
      },
    },
    progress: {
      update: (say: () => string) => said.push(say()),
      print: (say: string) => said.push(say),
      end: () => undefined,
    },
    refusals: async () => new Map(),
  }
  return { log, tally, ports, said, readable }
}

/** Without the record by which the import measured the broker's clock. */
const ticksOf = (log: MemoryLog) => log.records(clockTicked.name).filter(({ value }) => value !== null)

async function ticksIn(log: MemoryLog) {
  const codec = new PlainCodec()
  const decoded = ticksOf(log).map(({ value }) => codec.decode(clockTicked, value ?? Buffer.alloc(0)))
  return (await Promise.all(decoded)).flatMap((it) => (it.kind === 'event' ? [it.event] : []))
}

it('ends an import with a flush of its namespace', async () => {
  const { log, tally, ports } = anImport()

  await settleStories(tally, { namespace: 'lab', wait: false }, ports)

  expect(await ticksIn(log)).toMatchObject([{ namespace: 'lab', tick_at: 1000, flush: true }])
})

it('says nothing when nothing was imported', async () => {
  const { log, tally, ports } = anImport({ articles: 0 })

  await settleStories(tally, { namespace: 'lab', wait: true }, ports)

  expect(await ticksIn(log)).toEqual([])
})

it('told to wait, flushes once all is readable, and waits until stories are settled and shown', async () => {
  const happened: string[] = []
  let step = 0
  const it = anImport({
    then: (log) => {
      const ticks = ticksOf(log).length
      happened.push(`${ticks} ticks`)
      step += 1
      if (step === 2) for (const id of it.tally.contents.keys()) it.readable.add(id)
      if (step === 4) log.commit('clustered', { topic: clockTicked.name, partition: 0, offset: 2 }, null)
    },
  })

  await settleStories(it.tally, { namespace: 'lab', wait: true }, it.ports)

  expect(happened).toEqual(['0 ticks', '0 ticks', '1 ticks', '1 ticks'])
  expect(it.said.at(-1)).toBe('settling stories')
})
