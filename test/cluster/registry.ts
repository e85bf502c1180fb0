import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectPath } from '../../src/config/project-path.ts'
import { type Engine, jvmOptions } from '../../src/engines/engine.ts'
import { leash } from '../../src/engines/leash.ts'
import { registryUrl } from '../../src/engines/registry.ts'
import { readyUnlessAborted } from './ready.ts'

export interface ClusterRegistryOptions {
  readonly directory: string
  readonly log: string
  /** Folder of the application. */
  readonly program: string
  readonly port: number
  readonly brokers: readonly string[]
  readonly caFile: string
  readonly user: { readonly name: string; readonly password: string }
  /** Ends a start that is not finished. */
  readonly signal: AbortSignal
}

/**
 * The schema registry with `docker/registry/application.env`: its schemas are in Kafka, so that it has no disk to lose.
 * It logs in as any client does.
 */
export function clusterRegistry(options: ClusterRegistryOptions): Engine {
  const { directory, log, program, port, signal } = options
  const start = async () => {
    mkdirSync(join(directory, 'config'), { recursive: true })
    // read from the working folder; holds a password, so it is no command line
    writeFileSync(join(directory, 'config', 'application.properties'), propertiesText(options), { mode: 0o600 })
    const logged = existsSync(log) ? statSync(log).size : 0
    const jvm = jvmOptions({ heapMb: 256, metaspaceMb: 160 })
    const process = leash({
      command: 'java',
      args: [...jvm, '-jar', join(program, 'apicurio-registry-app-3.0.9-runner.jar')],
      log: { file: log },
      cwd: directory,
      environment: { ...globalThis.process.env, ...registryEnvironment(options.brokers) },
    })
    return readyUnlessAborted({ name: 'registry', process, log, signal }, async () => {
      return isListening(log, logged) && (await answersSubjects(port))
    })
  }
  return { name: 'registry', start, graceMs: 10_000 }
}

/** `docker/registry/application.env` with the address of the brokers replaced; the heap is set on the command line. */
function registryEnvironment(brokers: readonly string[]): Readonly<Record<string, string>> {
  const text = readFileSync(projectPath('docker/registry/application.env'), 'utf8')
  const lines = text.split('\n').filter((line) => /^[A-Z_]+=/.test(line) && !line.startsWith('JAVA_OPTS'))
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', value = ''] = line.split(/=(.*)/, 2)
      return [name, value.replace('kafka:9092', brokers.join(','))]
    }),
  )
}

function propertiesText({ port, caFile, user }: ClusterRegistryOptions): string {
  const module = 'org.apache.kafka.common.security.scram.ScramLoginModule'
  return [
    'quarkus.http.host=127.0.0.1',
    `quarkus.http.port=${port}`,
    'quarkus.log.category."io.quarkus".level=INFO', // logs "Listening on"
    'apicurio.kafka.common.security.protocol=SASL_SSL',
    'apicurio.kafka.common.ssl.truststore.type=PEM',
    `apicurio.kafka.common.ssl.truststore.location=${caFile}`,
    'apicurio.kafka.common.sasl.mechanism=SCRAM-SHA-512',
    `apicurio.kafka.common.sasl.jaas.config=${module} required username="${user.name}" password="${user.password}";`,
    '',
  ].join('\n')
}

const isListening = (log: string, from: number): boolean =>
  readFileSync(log).subarray(from).includes('Listening on: http://')

async function answersSubjects(port: number): Promise<boolean> {
  const response = await fetch(`${registryUrl(port)}/subjects`)
  await response.arrayBuffer()
  return response.ok
}
