import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { projectPath } from '../project-path.ts'
import { type Engine, fill, untilReady } from './engine.ts'
import { answers, anyFreePort } from './free-port.ts'
import { leash } from './leash.ts'

export interface KafkaOptions {
  /** Its own folder: configuration and data. */
  readonly directory: string
  readonly log: string
  readonly jars: string
  readonly port: number
  /** A second way in: it listens on `port` and says of itself that it is at `advertised`, where a proxy stands. */
  readonly proxied?: { readonly port: number; readonly advertised: number }
}

const jvm = [
  '-Xms64m',
  '-Xmx256m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-XX:MaxMetaspaceSize=128m',
  '-Xss512k',
  '-XX:+ExitOnOutOfMemoryError',
  '-Djava.awt.headless=true',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  '-Dorg.slf4j.simpleLogger.showDateTime=true',
]

/** Apache Kafka, one broker that is its own controller, on the loopback address. */
export function kafkaEngine({ directory, log, jars, port, proxied }: KafkaOptions): Engine {
  const start = async () => {
    const data = join(directory, 'data')
    const clusterId = format(data)
    const properties = join(directory, 'server.properties')
    const template = readFileSync(projectPath('docker/embedded/kafka/server.properties'), 'utf8')
    // only the broker talks to its controller, so that port may be another one at each start
    const controller = await anyFreePort()
    const second = proxied === undefined ? '' : secondListener({ ...proxied, own: port, controller })
    writeFileSync(properties, `${fill(template, { PORT: port, CONTROLLER: controller, DATA: data })}${second}`)
    const args = [...jvm, '-cp', join(jars, '*'), 'kafka.Kafka', properties]
    const process = leash({ command: 'java', args, log: { file: log }, cwd: directory })
    return await untilReady({ name: 'kafka', process, log, timeoutMs: 240_000 }, async () => {
      return (await answers(port)) && (await isCluster(port, clusterId))
    })
  }
  return { name: 'kafka', start, graceMs: 10_000 }
}

/** Of a property that stands twice the last counts. */
const secondListener = (ports: { own: number; controller: number; port: number; advertised: number }): string =>
  [
    '',
    `listeners=CLIENT://127.0.0.1:${ports.own},PROXIED://127.0.0.1:${ports.port},CONTROLLER://127.0.0.1:${ports.controller}`,
    `advertised.listeners=CLIENT://127.0.0.1:${ports.own},PROXIED://127.0.0.1:${ports.advertised}`,
    'listener.security.protocol.map=CLIENT:PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT',
    '',
  ].join('\n')

/** Does what Kafka's StorageTool would, without the start of another JVM; the broker fills in the rest. */
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

/** A broker that answers with another cluster's name is somebody else's. */
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
