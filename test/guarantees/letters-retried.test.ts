import { afterAll, expect, inject, it, vi } from 'vitest'
import { systemClock } from '../../src/adapters/clock.ts'
import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { filterOf } from '../../src/operations/dead-letters/filter.ts'
import { settle } from '../../src/operations/dead-letters/settle.ts'
import { topic } from '../../src/events/topic.ts'
import { deadTopic } from '../../src/runtime/dead-letter.ts'
import { runStage } from '../../src/runtime/run-stage.ts'
import { emit, refuse, type Stage } from '../../src/runtime/shapes.ts'
import { aDyingLog, aRunning, say, wordCodec, type Death, type RunningWord } from '../builders/running.ts'
import { createTopics } from './own-kafka.ts'

const WORDS = Array.from({ length: 250 }, (_, i) => `word-${i}`)
const deaths: readonly Death[] = [
  { call: 'write', nth: 1, when: 'before' },
  { call: 'write', nth: 1, when: 'after' },
  { call: 'write', nth: 2, when: 'before' },
]

const logs: KafkaLog[] = []
afterAll(async () => {
  for (const log of logs) await log.close()
})

it.each(deaths)('Kafka has each dead letter sent again once, killed $when transaction $nth', async (death) => {
  const { brokers } = inject('engines')
  const log = new KafkaLog({ brokers, clientId: 'retrying' })
  logs.push(log)
  const name = `retried-${death.when}-${death.nth}-${Date.now()}`
  const [said, heard] = ['said', 'heard'].map((part) => topic<RunningWord>(`${name}.${part}`, ({ word }) => word))
  if (said === undefined || heard === undefined) throw new Error('two topics')
  const dead = deadTopic(said.name)
  await createTopics(brokers, [said.name, heard.name, dead])
  const running = { ...aRunning({ clock: systemClock }), log }
  const stage = (isKnown: boolean): Stage<RunningWord, RunningWord> => ({
    ...{ name, version: '1', reads: said, writes: heard },
    handle: async (inputs) => inputs.map(({ event }) => (isKnown ? emit(event) : refuse('word_unknown'))),
  })
  const run = async (isKnown: boolean) => {
    const consumer = await runStage(stage(isKnown), running)
    await vi.waitFor(
      async () => {
        expect(await log.committed(name, said.name)).toEqual(await log.ends(said.name))
      },
      { timeout: 60_000, interval: 100 },
    )
    await consumer.stop()
  }
  const settling = (through: Parameters<typeof settle>[0]['log']) =>
    settle(
      {
        log: through,
        codec: () => Promise.resolve(wordCodec()),
        onSettled: () => undefined,
        dryRun: false,
      },
      'retried',
      { topics: [dead], filter: filterOf({}, 0) },
    )
  await say(log, WORDS, said)
  await run(false)
  const dying = aDyingLog(log, death)
  void settling(dying.log)
  await dying.died

  await settling(log)

  expect((await settling(log)).letters).toEqual([])
  await run(true)
  expect(await keysIn(log, heard.name)).toEqual(WORDS)
})

async function keysIn(log: KafkaLog, name: string): Promise<readonly (string | null)[]> {
  const keys: (string | null)[] = []
  for await (const records of log.read(name, 0, 0)) keys.push(...records.map(({ key }) => key))
  return keys
}
