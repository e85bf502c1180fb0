import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, expect, inject, it, vi } from 'vitest'
import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { createTopics } from './own-kafka.ts'

/** Three sessions. */
const DECIDES_MS = 8_000
const SOON = { timeout: 30_000, interval: 20 }

const started: ChildProcess[] = []
afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
})

interface Deciding {
  readonly child: ChildProcess
  /** What it has told. */
  readonly said: readonly string[]
}

function deciding(...given: readonly string[]): Deciding {
  const script = fileURLToPath(new URL('deciding-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...given], { stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  const said: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => said.push(line))
  return { child, said }
}

it('who decides for longer than a session is not thrown out; who dies is soon replaced', async () => {
  const { brokers } = inject('engines')
  const name = `blocked-${Date.now()}`
  await createTopics(brokers, [name])
  const log = new KafkaLog({ brokers, clientId: 'blocked' })
  const say = (word: string) => log.produce([{ topic: name, key: 'k', value: Buffer.from(word) }])
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  const members = (count: number) =>
    vi.waitFor(async () => {
      const { groups } = await admin.describeGroups([name])
      expect(groups.map(({ state, members }) => [state, members.length])).toEqual([['Stable', count]])
    }, SOON)
  const worker = deciding(brokers[0] ?? '', name, name, `${DECIDES_MS}`)
  await members(1)
  const standby = deciding(brokers[0] ?? '', name, name, '0')
  await members(2)

  await say('first')
  await vi.waitFor(() => expect(worker.said).toEqual(['deciding', 'committed']), SOON)
  await say('second')
  await vi.waitFor(() => expect(worker.said).toHaveLength(3), SOON)
  worker.child.kill('SIGKILL')
  await once(worker.child, 'exit')
  await vi.waitFor(() => expect(standby.said).toContain('committed'), SOON)

  expect({ worker: worker.said, standby: standby.said }).toEqual({
    worker: ['deciding', 'committed', 'deciding'],
    standby: ['deciding', 'committed'],
  })
  expect(await log.committed(name, name)).toEqual(await log.ends(name))
  await Promise.all([log.close(), admin.disconnect()])
})
