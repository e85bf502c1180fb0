import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Kafka, logLevel } from 'kafkajs'
import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { loadConfig } from '../../src/config/config.ts'
import { fetchEngines } from '../../src/engines/fetch.ts'
import { anyFreePort } from '../../src/engines/free-port.ts'
import { kafkaEngine } from '../../src/engines/kafka.ts'
import { supervise } from '../../src/engines/supervise.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { countedAs, say } from '../builders/running.ts'
import { createTopics } from '../guarantees/own-kafka.ts'
import { percentile } from './recovery.ts'

/**
 * Only one thing, many times: of two processes of a stage with memory the one that works is killed, while words come without
 * a pause; how long until the other has committed. Kafka alone, so that other work on the machine matters little.
 */
const { values } = parseArgs({ options: { kills: { type: 'string', default: '50' } } })
const kills = Number(values.kills)
const stage = countedAs('replaced')
const directory = mkdtempSync(join(tmpdir(), 'story-replaced-'))
const { kafkaJars } = await fetchEngines(loadConfig(process.env).cache, () => undefined)
const port = await anyFreePort()
const engine = kafkaEngine({ directory, log: join(directory, 'kafka.log'), jars: kafkaJars, port })
const kafka = await supervise(engine, (line) => console.error(line))
const broker = `127.0.0.1:${port}`
const [source] = stage.reads
if (source === undefined) throw new Error('the stage reads nothing')
await createTopics([broker], [...stage.reads.map(({ name }) => name), stage.writes.name, stage.memory.changelog.name])
const log = new KafkaLog({ brokers: [broker], clientId: 'replaced' })
const admin = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING }).admin()
await admin.connect()

const start = (): ChildProcess =>
  spawn(process.execPath, ['--import', 'tsx', projectPath('test/chaos/counting-process.ts'), broker, stage.name], {
    stdio: 'inherit',
  })
const members = async (): Promise<number> => {
  const { groups } = await admin.describeGroups([stage.name])
  return groups[0]?.state === 'Stable' ? groups[0].members.length : 0
}
const twoMembers = async (): Promise<void> => {
  while ((await members()) !== 2) await sleep(50)
}
const readUpTo = async (): Promise<number> => (await log.committed(stage.name, source.name))[0] ?? 0

const over = new AbortController()
const words = (async () => {
  for (let i = 0; !over.signal.aborted; i++) {
    await say(log, [`w${i % 17}`], source)
    await sleep(20)
  }
})()
// the longest there is the one that works
const line = [start()]
while ((await members()) !== 1) await sleep(50)
line.push(start())
await twoMembers()

const times: number[] = []
for (let n = 1; n <= kills; n++) {
  const worker = line.shift()
  const exit = once(worker ?? process, 'exit')
  worker?.kill('SIGKILL')
  const at = performance.now()
  await exit
  await sleep(30) // a commit that was on its way
  const before = await readUpTo()
  while ((await readUpTo()) === before) await sleep(10)
  times.push(Math.round(performance.now() - at))
  console.error(`${n}: ${times.at(-1)} ms`)
  line.push(start())
  await twoMembers()
}
over.abort()
await words
for (const child of line) child.kill('SIGKILL')
await admin.disconnect()
await log.close()
await kafka.stop()
rmSync(directory, { recursive: true, force: true })
const p99 = percentile(times, 0.99) ?? 0
console.log(JSON.stringify({ kills, p50_ms: percentile(times, 0.5), p99_ms: p99, most_ms: Math.max(...times) }))
process.exitCode = p99 < 5_000 ? 0 : 1
