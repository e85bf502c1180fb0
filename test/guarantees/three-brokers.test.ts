import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, it, vi } from 'vitest'
import { systemClock } from '../../src/adapters/clock.ts'
import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { replicaAdmin } from '../../src/adapters/kafka/replicas.ts'
import { type Engine, jvmOptions, untilReady } from '../../src/engines/engine.ts'
import { fetchEngines } from '../../src/engines/fetch.ts'
import { answers, anyFreePort } from '../../src/engines/free-port.ts'
import { kafkaEngine } from '../../src/engines/kafka.ts'
import { leash } from '../../src/engines/leash.ts'
import { supervise, type Supervised } from '../../src/engines/supervise.ts'
import { replicatedPartitions } from '../../src/operations/replicate/plan.ts'
import { replicate } from '../../src/operations/replicate/replicate.ts'
import { soon } from '../builders/soon.ts'
import { createTopics } from './own-kafka.ts'

const home = mkdtempSync(join(tmpdir(), 'story-brokers-'))
const running: Supervised[] = []
afterAll(async () => {
  for (const broker of running.reverse()) await broker.stop()
  rmSync(home, { recursive: true, force: true })
})

const { kafkaJars: jars } = await fetchEngines(inject('engines').cache, () => undefined)

async function start(engine: Engine): Promise<Supervised> {
  const supervised = await supervise(engine, () => undefined)
  running.push(supervised)
  return supervised
}

/** A broker that joins the cluster of the first one, which stays the controller. */
async function joining(node: number, port: number): Promise<Engine> {
  const first = join(home, 'kafka-1')
  const [directory, data] = [join(home, `kafka-${node}`), join(home, `kafka-${node}`, 'data')]
  mkdirSync(data, { recursive: true })
  const meta = readFileSync(join(first, 'data', 'meta.properties'), 'utf8')
  const clusterId = /^cluster\.id=(.+)$/m.exec(meta)?.[1] ?? ''
  writeFileSync(join(data, 'meta.properties'), `version=1\nnode.id=${node}\ncluster.id=${clusterId}\n`)
  const own = [
    ...['process.roles=broker', `node.id=${node}`, `log.dirs=${data}`],
    ...[`listeners=CLIENT://127.0.0.1:${port}`, `advertised.listeners=CLIENT://127.0.0.1:${port}`],
  ]
  const properties = join(directory, 'server.properties')
  writeFileSync(properties, `${readFileSync(join(first, 'server.properties'), 'utf8')}\n${own.join('\n')}\n`)
  const log = join(directory, 'kafka.log')
  const jvm = jvmOptions({ heapMb: 256, metaspaceMb: 128 })
  return {
    name: `kafka-${node}`,
    graceMs: 10_000,
    start: () => {
      const args = [...jvm, '-cp', join(jars, '*'), 'kafka.Kafka', properties]
      const process = leash({ command: 'java', args, log: { file: log }, cwd: directory })
      return untilReady({ name: `kafka-${node}`, process, log, timeoutMs: 120_000 }, () => answers(port))
    },
  }
}

const TOPIC = 'articles.ingested'
const GROUP = 'reader'
const text = (n: number) => Buffer.from(`article ${n}`)

it('copies a log of one broker to three, and one of them may then stop', { timeout: 300_000 }, async () => {
  const ports = [await anyFreePort(), await anyFreePort(), await anyFreePort()] as const
  const directory = join(home, 'kafka-1')
  mkdirSync(directory)
  await start(kafkaEngine({ directory, log: join(directory, 'kafka.log'), jars, port: ports[0] }))
  const alone = [`127.0.0.1:${ports[0]}`]
  await createTopics(alone, [TOPIC], 6)
  const log = new KafkaLog({ brokers: ports.map((port) => `127.0.0.1:${port}`), clientId: 'test' })
  const write = (from: number) =>
    log.produce(Array.from({ length: 60 }, (_, n) => ({ topic: TOPIC, key: `${n}`, value: text(from + n) })))
  await write(0)
  const writer = await log.writer('grown-writer')
  await writer.write([{ topic: TOPIC, key: 'a', value: text(60) }], {
    group: GROUP,
    next: [{ topic: TOPIC, partition: 0, offset: 3, metadata: 'kept' }],
  })
  await writer.close()
  const second = await start(await joining(2, ports[1]))
  await start(await joining(3, ports[2]))

  const admin = await replicaAdmin({ brokers: alone })
  const placed = () => admin.placed({ own: [TOPIC], others: [] })
  await vi.waitFor(async () => expect((await placed()).brokers).toEqual([1, 2, 3]), soon)
  const before = await placed()
  expect(new Set(before.partitions.flatMap(({ replicas }) => replicas))).toEqual(new Set([1]))
  expect(new Set(before.partitions.map(({ topic }) => topic))).toEqual(
    new Set([TOPIC, '__consumer_offsets', '__transaction_state']),
  )

  const planned = replicatedPartitions(before, 3)
  const ports3 = { admin, clock: systemClock, onDone: vi.fn<(partitions: number) => void>() }
  await replicate(planned, new Set(before.partitions.map(({ topic }) => topic)), ports3)

  // the controller has finished; the broker that is asked may hear of it later
  await vi.waitFor(async () => {
    const { partitions, ...after } = await placed()
    expect(partitions.map(({ replicas }) => replicas.toSorted())).toEqual(partitions.map(() => [1, 2, 3]))
    expect(replicatedPartitions({ partitions, ...after }, 3)).toEqual([])
  }, soon)
  expect(ports3.onDone.mock.calls.reduce((sum, [partitions]) => sum + partitions, 0)).toBe(before.partitions.length)
  await expect(admin.placed({ own: [], others: ['not-there'] })).rejects.toThrow('there is no topic not-there')
  await admin.close()

  await second.stop()
  await vi.waitFor(() => write(100), soon)
  const found = new Set<string>()
  for (let partition = 0; partition < 6; partition++) {
    for await (const records of log.read(TOPIC, partition, 0)) {
      for (const { value } of records) found.add(value?.toString() ?? '')
    }
  }
  const expected = [...Array.from({ length: 61 }, (_, n) => n), ...Array.from({ length: 60 }, (_, n) => 100 + n)]
  expect([...found].sort()).toEqual(expected.map((n) => `article ${n}`).sort())
  expect((await log.committed(GROUP, TOPIC))[0]).toBe(3)
  await log.close()
})
