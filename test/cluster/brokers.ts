import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Kafka, type KafkaConfig, logLevel } from 'kafkajs'
import { projectPath } from '../../src/config/project-path.ts'
import { type Engine, jvmOptions } from '../../src/engines/engine.ts'
import { answers } from '../../src/engines/free-port.ts'
import { leash } from '../../src/engines/leash.ts'
import { anAuthority } from '../builders/certificate.ts'
import { brokerProperties, type BrokerPorts } from './broker-properties.ts'
import { readyUnlessAborted } from './ready.ts'

export interface BrokersOptions {
  /** Folder of configuration, certificates and data. */
  readonly directory: string
  /** Folder of the logs. */
  readonly logs: string
  readonly jars: string
  /** One entry per broker. */
  readonly ports: readonly BrokerPorts[]
  /** User to password. */
  readonly users: Readonly<Record<string, string>>
  /** Ends a start that is not finished. */
  readonly signal: AbortSignal
}

/** Brokers that are ready to be started; their data folders are formatted. */
export interface Brokers {
  readonly engines: readonly Engine[]
  /** Certificate of the authority, as PEM. */
  readonly caFile: string
  /** `host:port` of every broker, for clients. */
  readonly addresses: readonly string[]
}

const ZONES = ['a', 'b', 'c']

/** Brokers with the settings of `docker/kafka/cluster.properties`: TLS and SCRAM for clients. */
export async function clusterBrokers(options: BrokersOptions): Promise<Brokers> {
  const { directory, ports } = options
  mkdirSync(directory, { recursive: true })
  const authority = anAuthority('Story cluster on one machine')
  const caFile = join(directory, 'authority.pem')
  writeFileSync(caFile, authority.cert)
  ports.forEach((_, i) => {
    const { key, cert } = authority.issue('localhost', ['127.0.0.1'])
    writeFileSync(keystoreOf(directory, i + 1), `${key}${cert}`, { mode: 0o600 })
    writeFileSync(propertiesOf(directory, i + 1), propertiesText(options, i + 1))
  })
  await format(options)
  const addresses = ports.map((own) => `127.0.0.1:${(own.advertised ?? own).client}`)
  return { engines: ports.map((_, i) => brokerEngine(options, i + 1)), caFile, addresses }
}

const keystoreOf = (directory: string, node: number): string => join(directory, `broker-${node}.pem`)
const propertiesOf = (directory: string, node: number): string => join(directory, `broker-${node}.properties`)
const dataOf = (directory: string, node: number): string => join(directory, `data-${node}`)

const propertiesText = ({ directory, ports }: BrokersOptions, node: number): string =>
  brokerProperties(readFileSync(projectPath('docker/kafka/cluster.properties'), 'utf8'), {
    node,
    zone: ZONES[(node - 1) % ZONES.length] ?? '',
    ports,
    data: dataOf(directory, node),
    keystore: keystoreOf(directory, node),
  })

/**
 * Formats the data folder of the first broker with the users, and copies the result: what differs between brokers is
 * their number only, and another JVM takes a second. Nothing is done to a folder that is formatted.
 */
async function format({ directory, jars, ports, users }: BrokersOptions): Promise<void> {
  const first = dataOf(directory, 1)
  if (existsSync(join(first, 'meta.properties'))) return
  const clusterId = randomBytes(16).toString('base64url')
  // in a file, because everybody can read a command line
  const args = join(directory, 'users')
  const lines = Object.entries(users).flatMap(([name, password]) => [
    '--add-scram',
    `SCRAM-SHA-512=[name=${name},password=${password}]`,
  ])
  writeFileSync(args, `${lines.join('\n')}\n`, { mode: 0o600 })
  const tool = ['-cp', join(jars, '*'), 'kafka.tools.StorageTool', 'format', '-t', clusterId]
  await promisify(execFile)('java', [...jvm, ...tool, '-c', propertiesOf(directory, 1), `@${args}`])
  rmSync(args)
  ports.forEach((_, i) => copyFormatted({ directory, node: i + 1, clusterId }))
}

interface Formatted {
  readonly directory: string
  readonly node: number
  readonly clusterId: string
}

function copyFormatted({ directory, node, clusterId }: Formatted): void {
  const data = dataOf(directory, node)
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, 'meta.properties'), `version=1\nnode.id=${node}\ncluster.id=${clusterId}\n`)
  if (node === 1) return
  copyFileSync(join(dataOf(directory, 1), 'bootstrap.checkpoint'), join(data, 'bootstrap.checkpoint'))
}

const jvm = [
  ...jvmOptions({ heapMb: 384, metaspaceMb: 128 }),
  // the last one counts: TLS is slow without the second compiler
  '-XX:TieredStopAtLevel=4',
  '-Xms96m',
  '-Djava.awt.headless=true',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  '-Dorg.slf4j.simpleLogger.showDateTime=true',
]

const GRACE_MS = 15_000

/** Ready when all brokers of the cluster are registered, as a client sees it who logs in at this one. */
function brokerEngine({ directory, logs, jars, ports, users, signal }: BrokersOptions, node: number): Engine {
  const name = `kafka-${node}`
  const log = join(logs, `${name}.log`)
  const port = ports[node - 1]?.client ?? 0
  const start = async () => {
    const args = [...jvm, '-cp', join(jars, '*'), 'kafka.Kafka', propertiesOf(directory, node)]
    const process = leash({ command: 'java', args, log: { file: log }, cwd: directory })
    const ca = readFileSync(join(directory, 'authority.pem'), 'utf8')
    const access = { brokers: [`127.0.0.1:${port}`], ssl: { ca }, ...loginOf(users) }
    return readyUnlessAborted({ name, process, log, signal }, async () => {
      return (await answers(port)) && (await isRegistered(access, { node, clusterId: clusterIdOf(directory) }))
    })
  }
  return { name, start, graceMs: GRACE_MS }
}

function loginOf(users: BrokersOptions['users']): Pick<KafkaConfig, 'sasl'> {
  const [username, password] = Object.entries(users)[0] ?? []
  if (username === undefined || password === undefined) return {}
  return { sasl: { mechanism: 'scram-sha-512', username, password } }
}

const clusterIdOf = (directory: string): string =>
  /^cluster\.id=(.+)$/m.exec(readFileSync(join(dataOf(directory, 1), 'meta.properties'), 'utf8'))?.[1] ?? ''

interface Registration {
  readonly node: number
  readonly clusterId: string
}

async function isRegistered(access: KafkaConfig, { node, clusterId }: Registration): Promise<boolean> {
  const kafka = new Kafka({
    ...access,
    clientId: 'story-cluster',
    logLevel: logLevel.NOTHING,
    connectionTimeout: 5_000,
    retry: { retries: 0 },
  })
  const admin = kafka.admin()
  try {
    await admin.connect()
    const cluster = await admin.describeCluster()
    return cluster.clusterId === clusterId && cluster.brokers.some(({ nodeId }) => nodeId === node)
  } finally {
    await admin.disconnect()
  }
}
