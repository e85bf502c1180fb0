import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, inject, it, vi } from 'vitest'
import { systemClock } from '../../src/adapters/clock.ts'
import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { takeOver } from '../../src/runtime/held-memory.ts'
import { aRunning, countedAs, say, wordCodec } from '../builders/running.ts'
import { createTopics } from './own-kafka.ts'

const WORDS = 4000
const KILL_AT = [300, 1200, 2500]

const started: ChildProcess[] = []
const start = (...given: readonly string[]): ChildProcess => {
  const script = fileURLToPath(new URL('counting-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...given], { stdio: 'inherit' })
  started.push(child)
  return child
}

afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
})

/** A stage with its topics and words to count. */
async function aStage(name: string, words: number) {
  const { brokers } = inject('engines')
  const stage = countedAs(`${name}-${Date.now()}`)
  const [source] = stage.reads
  if (source === undefined) throw new Error('the stage reads nothing')
  await createTopics(brokers, [source.name, stage.writes.name, stage.memory.changelog.name])
  const log = new KafkaLog({ brokers, clientId: 'killer' })
  const said = Array.from({ length: words }, (_, i) => `w${(i * 7) % 13}`)
  await say(log, said, source)
  const readUpTo = async () => (await log.committed(stage.name, source.name))[0] ?? 0
  return { broker: brokers[0] ?? '', stage, log, said, readUpTo }
}

type CountingStage = Pick<Awaited<ReturnType<typeof aStage>>, 'stage' | 'log' | 'said'>

/** Each word was counted once and in order: none was lost, set aside or counted twice. */
async function expectEachCounted({ stage, log, said }: CountingStage): Promise<void> {
  const counts = new Map<string, number>()
  const fold = said.map((word) => `${word} ${counts.set(word, (counts.get(word) ?? 0) + 1).get(word) ?? 0}`)
  const emitted: string[] = []
  const codec = wordCodec()
  for await (const records of log.read(stage.writes.name, 0, 0)) {
    for (const { value } of records) {
      const decoded = await codec.decode(stage.writes, value ?? Buffer.alloc(0))
      emitted.push(decoded.kind === 'event' ? decoded.event.word : decoded.reason)
    }
  }
  expect(emitted).toEqual(fold)
  const { state } = await takeOver(stage, 0, { ...aRunning({ clock: systemClock }), log })
  expect(new Map([...state].map(([word, { count }]) => [word, count]))).toEqual(counts)
}

it('a process killed while it writes loses nothing and tells nothing twice; its memory is the fold of its history', async () => {
  const counting = await aStage('killed', WORDS)
  const { broker, stage, log, readUpTo } = counting

  for (const at of KILL_AT) {
    const child = start(broker, stage.name)
    await vi.waitFor(
      async () => {
        expect(await readUpTo()).toBeGreaterThan(at)
      },
      { timeout: 60_000, interval: 5 },
    )
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const last = start(broker, stage.name)
  await vi.waitFor(
    async () => {
      expect(await readUpTo()).toBe(WORDS)
    },
    { timeout: 60_000, interval: 100 },
  )
  last.kill('SIGKILL')
  await once(last, 'exit')

  await expectEachCounted(counting)
  await log.close()
})

it('a process that dies at its first decision ten times sets no record aside', async () => {
  const counting = await aStage('dies', 50)
  const { broker, stage, log, readUpTo } = counting

  for (let death = 0; death < 10; death++) {
    expect(await once(start(broker, stage.name, 'dies'), 'exit')).toEqual([null, 'SIGKILL'])
  }
  const sound = start(broker, stage.name)
  await vi.waitFor(async () => expect(await readUpTo()).toBe(50), { timeout: 60_000, interval: 100 })
  sound.kill('SIGKILL')
  await once(sound, 'exit')

  await expectEachCounted(counting)
  await log.close()
})
