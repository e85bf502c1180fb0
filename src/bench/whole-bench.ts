import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { ArticleIngested } from '../events/articles.ts'
import type { OwnService } from './own-service.ts'
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

const Imported = z.object({ accepted: z.number(), seconds: z.number() })

/** Imports articles into a running service and waits until all are readable; CPU and memory of each process meanwhile. */
export async function benchWhole(service: OwnService, articles: readonly ArticleIngested[]): Promise<WholeFigure> {
  const file = await asFile(service, articles)
  const before = processTree(service.pid)
  const imported = await importFile(service, file, '--wait')
  return figure(imported, service.secondsUntilReady, { before, after: processTree(service.pid) })
}

/** An article as an import takes it. */
export const asLine = ({ url, title, source, published_date, text }: ArticleIngested) => ({
  url,
  title,
  source,
  text,
  ...(published_date !== null && { published_date: new Date(published_date).toISOString() }),
})

/** Articles as a file to import. */
export async function asFile({ home }: OwnService, articles: readonly ArticleIngested[]): Promise<string> {
  const file = join(home, 'articles.jsonl')
  await writeFile(file, articles.map((article) => JSON.stringify(asLine(article))).join('\n'))
  return file
}

/** Throws where the import fails. */
export async function importFile(
  { command, environment }: OwnService,
  file: string,
  ...options: readonly string[]
): Promise<z.infer<typeof Imported>> {
  const [program, ...first] = command
  const child = spawn(program, [...first, 'import', 'jsonl', file, '--json', ...options], {
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
