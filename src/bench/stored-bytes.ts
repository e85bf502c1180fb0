import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Store } from '../ports/store.ts'

/** Bytes by topic or table. */
export type BytesByName = Readonly<Record<string, number>>

/** Bytes per article of the log segments in a home's broker, by topic, and of the tables in a store, compressed. */
export async function bytesPerArticle(
  { home, store }: { readonly home: string; readonly store: Store },
  articles: number,
): Promise<{ readonly topics: BytesByName; readonly tables: BytesByName }> {
  const each = (bytes: BytesByName): BytesByName =>
    Object.fromEntries(Object.entries(bytes).map(([name, size]) => [name, Math.round(size / articles)]))
  return { topics: each(topicBytes(join(home, 'kafka'))), tables: each(await tableBytes(store)) }
}

function topicBytes(data: string): BytesByName {
  const bytes: Record<string, number> = {}
  for (const folder of readdirSync(data, { recursive: true, encoding: 'utf8' })) {
    const [, topic] = /(?:^|\/)([a-z]+\.[a-z.]+)-\d+\/[^/]+\.log$/.exec(folder) ?? []
    if (topic !== undefined) bytes[topic] = (bytes[topic] ?? 0) + statSync(join(data, folder)).size
  }
  return bytes
}

const Bytes = z.object({ name: z.string(), bytes: z.number() })

/** Bytes of the tables of a store, compressed, the largest first. */
export async function tableBytes(store: Store): Promise<BytesByName> {
  const rows = await store.query({
    name: 'bench.tables',
    sql: `SELECT table AS name, sum(bytes_on_disk) AS bytes FROM system.parts
      WHERE active AND database = currentDatabase() GROUP BY table ORDER BY bytes DESC`,
    params: {},
    parse: (row) => Bytes.parse(row),
  })
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]))
}

export const totalBytes = (bytes: BytesByName): number => Object.values(bytes).reduce((sum, size) => sum + size, 0)

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(2).padStart(8)} kB`

/** The largest first, then their sum. */
export const bytesTable = (title: string, bytes: BytesByName): readonly string[] => [
  `  ${title}, an article:`,
  ...Object.entries(bytes)
    .sort(([, a], [, b]) => b - a)
    .filter(([, size]) => size > 0)
    .map(([name, size]) => `    ${name.padEnd(26)} ${kilobytes(size)}`),
  `    ${'all'.padEnd(26)} ${kilobytes(totalBytes(bytes))}`,
]
