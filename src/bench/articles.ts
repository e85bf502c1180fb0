import type { ArticleIngested } from '../events/articles.ts'
import { intake } from '../domain/intake/articles.ts'
import { ingested } from '../sources/ingested-event.ts'
import { jsonlRecords } from '../sources/jsonl.ts'
import { openSource } from '../sources/open-source.ts'

/** The first articles of a file that intake accepts. */
export async function articlesOf(file: string, most: number): Promise<readonly ArticleIngested[]> {
  const found: ArticleIngested[] = []
  for await (const record of jsonlRecords((await openSource(file, process.stdin)).bytes)) {
    if (found.length >= most) break
    const given = record.kind === 'fields' ? intake(record.fields) : null
    if (given?.kind !== 'article') continue
    found.push(ingested(given.fields, { namespace: 'bench', producer: 'bench' }).event)
  }
  return found
}
