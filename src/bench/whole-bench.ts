import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { processTree, roleOf, type ProcessUse } from './processes.ts'

export interface WholeFigure {
  readonly accepted: number
  readonly seconds_until_ready: number
  readonly seconds: number
  readonly articles_a_second: number
  readonly processes: readonly RoleFigure[]
  readonly peak_bytes: number
}

export interface RoleFigure {
  readonly role: string
  readonly processes: number
  readonly cpu_ms_an_article: number
  readonly peak_bytes: number
}

export interface WholeOptions {
  /** What starts this CLI. */
  readonly command: readonly [string, ...string[]]
  readonly environment: NodeJS.ProcessEnv
  readonly file: string
}

const Imported = z.object({ accepted: z.number(), seconds: z.number() })

/** The whole service on this machine: starts `story up` in a home of its own, imports a file and waits until all is readable. */
export async function benchWhole({ command, environment, file }: WholeOptions): Promise<WholeFigure> {
  const [program, ...first] = command
  const begun = performance.now()
  const up = spawn(program, [...first, 'up', '--json', '--no-sample'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await readyLine(up.stdout)
    const ready = (performance.now() - begun) / 1000
    const before = processTree(up.pid ?? -1)
    const imported = await importFile([program, ...first], { file, environment })
    return figure(imported, ready, { before, after: processTree(up.pid ?? -1) })
  } finally {
    const ended = new Promise((resolve) => up.once('exit', resolve))
    up.kill('SIGTERM')
    await ended
  }
}

async function readyLine(stdout: NodeJS.ReadableStream): Promise<void> {
  for await (const line of createInterface({ input: stdout })) if (line.includes('"ready":true')) return
  throw new Error('story up ended before it was ready')
}

async function importFile(
  [program, ...first]: readonly [string, ...string[]],
  { file, environment }: { readonly file: string; readonly environment: NodeJS.ProcessEnv },
): Promise<z.infer<typeof Imported>> {
  const child = spawn(program, [...first, 'import', 'jsonl', file, '--wait', '--json'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(Buffer.from(chunk as Uint8Array))
  return Imported.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))
}

interface Trees {
  readonly before: readonly ProcessUse[]
  readonly after: readonly ProcessUse[]
}

function figure({ accepted, seconds }: z.infer<typeof Imported>, ready: number, { before, after }: Trees): WholeFigure {
  const earlier = new Map(before.map(({ pid, cpuMs }) => [pid, cpuMs]))
  const roles = [...new Set(after.map(roleOf))].sort()
  const processes = roles.map((role): RoleFigure => {
    const uses = after.filter((use) => roleOf(use) === role)
    return {
      role,
      processes: uses.length,
      cpu_ms_an_article: sum(uses.map(({ pid, cpuMs }) => cpuMs - (earlier.get(pid) ?? 0))) / accepted,
      peak_bytes: sum(uses.map(({ peakBytes }) => peakBytes)),
    }
  })
  return {
    accepted,
    seconds_until_ready: ready,
    seconds,
    articles_a_second: accepted / seconds,
    processes,
    peak_bytes: sum(processes.map(({ peak_bytes }) => peak_bytes)),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
