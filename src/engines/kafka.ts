import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { projectPath } from '../config/project-path.ts'
import { type Engine, fill, jvmOptions, untilReady } from './engine.ts'
import { answers, anyFreePort } from './free-port.ts'
import { leash } from './leash.ts'

export interface KafkaEngineOptions {
  /** Folder of its configuration and data. */
  readonly directory: string
  readonly log: string
  readonly jars: string
  readonly port: number
  readonly second?: SecondListener
}

/** A second listener, named SECOND. It listens on `port` and advertises `advertised` (`host:port`). */
export interface SecondListener {
  readonly port: number
  readonly advertised: string
  /** Default: PLAINTEXT. */
  readonly protocol?: 'PLAINTEXT' | 'SASL_SSL'
  /** Additional lines for the broker's properties file. */
  readonly properties?: readonly string[]
}

const jvm = [
  ...jvmOptions({ heapMb: 256, metaspaceMb: 128 }),
  '-Xms64m',
  '-Djava.awt.headless=true',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  '-Dorg.slf4j.simpleLogger.showDateTime=true',
]

/** Apache Kafka: one combined broker and controller on the loopback address. */
export function kafkaEngine({ directory, log, jars, port, second }: KafkaEngineOptions): Engine {
  const start = async () => {
    const data = join(directory, 'data')
    const clusterId = format(data)
    const properties = join(directory, 'server.properties')
    const template = readFileSync(projectPath('docker/embedded/kafka/server.properties'), 'utf8')
    // only the broker connects to its controller, so that port may change at each start
    const controller = await anyFreePort()
    const more = second === undefined ? '' : secondListener(second, { own: port, controller })
    writeFileSync(properties, `${fill(template, { PORT: port, CONTROLLER: controller, DATA: data })}${more}`)
    const args = [...jvm, '-cp', join(jars, '*'), 'kafka.Kafka', properties]
    const process = leash({ command: 'java', args, log: { file: log }, cwd: directory })
    return untilReady({ name: 'kafka', process, log, timeoutMs: 240_000 }, async () => {
      return (await answers(port)) && (await isCluster(port, clusterId))
    })
  }
  return { name: 'kafka', start, graceMs: 10_000 }
}

/** If a property occurs twice, the last one wins. */
const secondListener = (
  { port, advertised, protocol = 'PLAINTEXT', properties = [] }: SecondListener,
  { own, controller }: { readonly own: number; readonly controller: number },
): string =>
  [
    '',
    `listeners=CLIENT://127.0.0.1:${own},SECOND://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
    `advertised.listeners=CLIENT://127.0.0.1:${own},SECOND://${advertised}`,
    `listener.security.protocol.map=CLIENT:PLAINTEXT,SECOND:${protocol},CONTROLLER:PLAINTEXT`,
    ...properties,
    '',
  ].join('\n')

/** Writes what Kafka's StorageTool would, without starting another JVM. The broker fills in the rest. */
function format(data: string): string {
  const file = join(data, 'meta.properties')
  mkdirSync(data, { recursive: true })
  if (!existsSync(file)) {
    writeFileSync(file, `version=1\nnode.id=1\ncluster.id=${randomBytes(16).toString('base64url')}\n`)
  }
  const clusterId = /^cluster\.id=(.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]
  if (clusterId === undefined) throw new Error(`${file} names no cluster: restore it, or remove ${data}`)
  return clusterId
}

/** Whether the broker on this port is ours: another broker reports another cluster id. */
async function isCluster(port: number, clusterId: string): Promise<boolean> {
  const kafka = new Kafka({
    clientId: 'story-up',
    brokers: [`127.0.0.1:${port}`],
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
  })
  const admin = kafka.admin()
  try {
    await admin.connect()
    const cluster = await admin.describeCluster()
    return cluster.clusterId === clusterId && cluster.brokers.length > 0
  } finally {
    await admin.disconnect()
  }
}
