import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Engine, jvmOptions, untilReady } from './engine.ts'
import { leash } from './leash.ts'

export interface RegistryEngineOptions {
  /** Its own folder: the H2 file. */
  readonly directory: string
  readonly log: string
  /** Where the application lies. */
  readonly program: string
  readonly port: number
}

export const registryUrl = (port: number): string => `http://127.0.0.1:${port}/apis/ccompat/v7`

/** Apicurio Registry with its schemas in an H2 file: ids stay the same over restarts. */
export function registryEngine({ directory, log, program, port }: RegistryEngineOptions): Engine {
  const args = [
    ...jvmOptions({ heapMb: 192, metaspaceMb: 160 }),
    '-Dquarkus.http.host=127.0.0.1',
    `-Dquarkus.http.port=${port}`,
    '-Dquarkus.log.category."io.quarkus".level=INFO', // says "Listening on"
    '-Dapicurio.rest.deletion.artifact.enabled=true', // announced schemas give way while no record was written
    '-Dapicurio.storage.kind=sql',
    '-Dapicurio.storage.sql.kind=h2',
    // a schema id that was given out must never be given out again, kill -9 or not
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

/** It logs that it has the port: an answer before that comes from another process. */
const listens = (log: string, from: number, port: number): boolean =>
  readFileSync(log).subarray(from).includes(`Listening on: http://127.0.0.1:${port}`)

async function answersSubjects(port: number): Promise<boolean> {
  const response = await fetch(`${registryUrl(port)}/subjects`)
  await response.arrayBuffer()
  return response.ok
}
