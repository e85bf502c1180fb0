import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import type { Log } from '../../src/ports/log.ts'
import { runMemoryStage } from '../../src/runtime/run-memory-stage.ts'
import { runStage } from '../../src/runtime/run-stage.ts'
import { onlyStore, runView } from '../../src/runtime/run-view.ts'
import { emit, on, type Stage } from '../../src/runtime/shapes.ts'
import { RowsInMemory } from '../builders/rows-in-memory.ts'
import { aRunning, countedAs, say, wordCodec, wordsSaid, type RunningWord } from '../builders/running.ts'
import { systemClock } from '../../src/adapters/clock.ts'
import { createTopics, ownKafka, type OwnKafka } from './own-kafka.ts'

const WORDS = 3000
const counted = countedAs('survivor')
const shouted = { ...wordsSaid, name: 'survivor.shouted' }
const source = { ...wordsSaid, name: 'survivor.said' }

const shout: Stage<RunningWord, RunningWord> = {
  name: 'survivor-shouted',
  version: '1',
  reads: source,
  writes: shouted,
  handle: async (inputs) => inputs.map(({ event }) => emit({ ...event, word: event.word.toUpperCase() })),
}

let kafka: OwnKafka
let log: KafkaLog
beforeAll(async () => {
  kafka = await ownKafka()
  log = new KafkaLog({ brokers: kafka.brokers, clientId: 'survivor' })
  await createTopics(kafka.brokers, [source.name, shouted.name, counted.writes.name, counted.memory.changelog.name])
})
afterAll(async () => {
  await log.close()
  await kafka.close()
})

const eventsOf = async (from: Log, topic: string): Promise<readonly RunningWord[]> => {
  const codec = wordCodec()
  const events: RunningWord[] = []
  for await (const records of from.read(topic, 0, 0)) {
    for (const { value } of records) {
      const decoded = await codec.decode({ ...wordsSaid, name: topic }, value ?? Buffer.alloc(0))
      if (decoded.kind === 'event') events.push(decoded.event)
    }
  }
  return events
}

it('a broker that is killed and comes back only pauses everything: nothing lost, nothing told twice', async () => {
  const running = { ...aRunning({ log, clock: systemClock }), log }
  const store = new RowsInMemory()
  const view = {
    name: 'survivor',
    projections: [on(shouted, ({ event }) => [{ table: 't', row: { word: event.word } }])],
  }
  const consumers = [
    await runStage(shout, running),
    await runMemoryStage(counted, running),
    await runView(view, running, onlyStore(store)),
  ]
  const rows = () => store.inserts.flatMap((insert) => insert.rows.map((row) => row['word']))
  const word = (i: number) => `w${i % 10}-${i}`
  const producing = (async () => {
    for (let i = 0; i < WORDS; i += 50) {
      const words = Array.from({ length: 50 }, (_, n) => word(i + n))
      await vi.waitFor(
        async () => {
          await say(log, words, source)
        },
        { timeout: 60_000, interval: 200 },
      )
      if (i === 1000) process.kill(kafka.pid(), 'SIGKILL')
    }
  })()

  await producing
  await vi.waitFor(
    () => {
      expect(new Set(rows()).size).toBe(WORDS)
    },
    { timeout: 60_000, interval: 100 },
  )
  await vi.waitFor(
    async () => {
      expect(await log.committed(counted.name, source.name)).toEqual(await log.ends(source.name))
    },
    { timeout: 60_000, interval: 200 },
  )
  await Promise.all(consumers.map((consumer) => consumer.stop()))

  const said = (await eventsOf(log, source.name)).map((event) => event.word)
  const counts = new Map<string, number>()
  const fold = said.map((it) => `${it} ${counts.set(it, (counts.get(it) ?? 0) + 1).get(it) ?? 0}`)
  expect((await eventsOf(log, counted.writes.name)).map((event) => event.word)).toEqual(fold)
  expect(new Set(said).size).toBe(WORDS)
  expect(running.crashes).toEqual([])
})
