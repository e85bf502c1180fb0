import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Engine, jvmOptions, untilReady } from './engine.ts'
import { leash } from './leash.ts'

export interface RegistryEngineOptions {
  /** Folder of the H2 file. */
  readonly directory: string
  readonly log: string
  /** Folder of the application. */
  readonly program: string
  readonly port: number
}

export const registryUrl = (port: number): string => `http://127.0.0.1:${port}/apis/ccompat/v7`

/** Apicurio Registry with its schemas in an H2 file, so that schema ids survive restarts. */
export function registryEngine({ directory, log, program, port }: RegistryEngineOptions): Engine {
  const args = [
    ...jvmOptions({ heapMb: 192, metaspaceMb: 160 }),
    '-Dquarkus.http.host=127.0.0.1',
    `-Dquarkus.http.port=${port}`,
    '-Dquarkus.log.category."io.quarkus".level=INFO', // logs "Listening on"
    '-Dapicurio.rest.deletion.artifact.enabled=true', // lets schemas be replaced while their topic has no record
    '-Dapicurio.storage.kind=sql',
    '-Dapicurio.storage.sql.kind=h2',
    // synchronous writes: a schema id must never be reused, even after kill -9
    `-Dapicurio.datasource.url=jdbc:h2:file:${join(directory, 'registry')};WRITE_DELAY=0`,
    '-jar',
    join(program, 'apicurio-registry-app-3.0.9-runner.jar'),
  ]
  const start = async () => {
    mkdirSync(directory, { recursive: true })
    const logged = existsSync(log) ? statSync(log).size : 0
    const process = leash({ command: 'java', args, log: { file: log }, cwd: directory })
    return untilReady({ name: 'registry', process, log, timeoutMs: 240_000 }, async () => {
      return listens(log, logged, port) && (await answersSubjects(port))
    })
  }
  return { name: 'registry', start, graceMs: 10_000 }
}

/**
 * Whether this process has logged that it listens on the port. Without this check, a response may come from another
 * process.
 */
const listens = (log: string, from: number, port: number): boolean =>
  readFileSync(log).subarray(from).includes(`Listening on: http://127.0.0.1:${port}`)

async function answersSubjects(port: number): Promise<boolean> {
  const response = await fetch(`${registryUrl(port)}/subjects`)
  await response.arrayBuffer()
  return response.ok
}
