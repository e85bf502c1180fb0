import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { StoryService } from './story.ts'

const Imported = z.object({ accepted: z.number(), refused: z.number(), articles: z.number(), revisions: z.number() })

/** Imports lines of JSONL, waits until all can be queried, and returns the command's report. */
export async function importAll(story: StoryService, name: string, text: string, ...options: string[]) {
  const file = join(story.home, name)
  await writeFile(file, text)
  return Imported.parse(JSON.parse(await story.cli('import', 'jsonl', file, '--wait', '--json', ...options)))
}

/** Stories as sets of titles and addresses: ids differ from namespace to namespace. */
export async function titlePartition(story: StoryService, namespace: string): Promise<string[]> {
  const { CLICKHOUSE_URL = '', CLICKHOUSE_PASSWORD = '' } = await story.running()
  const sql = `SELECT arrayStringConcat(arraySort(groupArray(concat(ifNull(title, ''), ifNull(url, '')))), '|') AS s
    FROM story.current_members WHERE namespace = {ns: String} GROUP BY cluster_id ORDER BY s`
  const query = new URLSearchParams({ user: 'story', password: CLICKHOUSE_PASSWORD, param_ns: namespace })
  const response = await fetch(`${CLICKHOUSE_URL}/?${query.toString()}`, { method: 'POST', body: sql })
  return (await response.text()).split('\n')
}
