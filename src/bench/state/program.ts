import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { processTree } from '../processes.ts'

const fromSource = import.meta.url.endsWith('.ts')

/** Arguments of Node.js that run a program of this folder, from `src/` or from `dist/`. */
export const programArguments = (name: string): string[] => [
  ...(fromSource ? ['--import', 'tsx'] : []),
  fileURLToPath(new URL(`./${name}.${fromSource ? 'ts' : 'js'}`, import.meta.url)),
]

/** Starts a program of this folder, which prints a line of JSON for each `Line`. `ended`: its signal or exit code. */
export function startProgram<Line>(
  name: string,
  given: { readonly environment: Readonly<Record<string, string>> },
  line: z.ZodType<Line>,
) {
  const child = spawn(process.execPath, [...programArguments(name), JSON.stringify(given)], {
    env: given.environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit').then((): string => child.signalCode ?? `exit code ${child.exitCode}`)
  async function* lines(): AsyncGenerator<Line> {
    for await (const text of createInterface({ input: child.stdout })) yield line.parse(JSON.parse(text))
  }
  return { lines: lines(), ended }
}

/** Prints a line that `startProgram` reads. */
export const printLine = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

/** Resident memory of a process, now and at most so far. */
export const MEMORY = { rss_mb: z.number(), peak_mb: z.number() }

const MB = 2 ** 20

export function ownMemory() {
  const [own] = processTree(process.pid)
  return { rss_mb: (own?.residentBytes ?? 0) / MB, peak_mb: (own?.peakBytes ?? 0) / MB }
}
