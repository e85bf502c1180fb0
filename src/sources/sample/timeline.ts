import { join } from 'node:path'
import { z } from 'zod'
import { jsonlRecords } from '../jsonl.ts'
import { openSource } from '../open-source.ts'

/** An article or post of the sample, with the time of its publication. */
export interface SampleTimelineItem {
  readonly kind: 'article' | 'post'
  /** Seconds after the import; negative before it. */
  readonly seconds: number
  /** As in the sample's files, without a date. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** A curator's merge of two stories, each named by the URL of one of its articles. */
const SampleCorrection = z.object({
  action: z.literal('merge'),
  article: z.string(),
  other: z.string(),
  reason: z.string(),
})
export type SampleCorrection = z.infer<typeof SampleCorrection>

const TEXTS = ['ecbplus.jsonl.gz', 'ntrex.jsonl.gz'] as const
const POSTS = 'posts/demonstration.jsonl'
const TIMELINE = 'timeline.jsonl'
const CORRECTIONS = 'corrections.jsonl'

const Row = z.object({
  seconds: z.number().int(),
  /** URL of an article, or platform and id of a post: `reddit:demo_a1`. */
  item: z.string(),
  /** An early version of the article: so many characters of the text, up to the end of a sentence. */
  characters: z.int().optional(),
  /** In place of the title in the file. */
  title: z.string().optional(),
})

/** The sample in `folder`, in the order of its timeline. */
export async function sampleTimeline(folder: string): Promise<readonly SampleTimelineItem[]> {
  const items = new Map<string, Omit<SampleTimelineItem, 'seconds'>>()
  for (const file of TEXTS) {
    for await (const fields of rowsOf(join(folder, file))) items.set(String(fields['url']), { kind: 'article', fields })
  }
  for await (const fields of rowsOf(join(folder, POSTS))) {
    items.set(`${String(fields['platform'])}:${String(fields['post_id'])}`, { kind: 'post', fields })
  }
  const timeline: SampleTimelineItem[] = []
  for await (const row of rowsOf(join(folder, TIMELINE))) {
    const { seconds, item, ...version } = Row.parse(row)
    const found = items.get(item)
    if (found === undefined) throw new Error(`${TIMELINE}: ${item} is not in the sample`)
    timeline.push({ ...found, seconds, fields: { ...found.fields, ...versionOf(found.fields, version) } })
  }
  return timeline
}

/** The corrections of a curator, which apply to the articles that are dated before the import. */
export async function sampleCorrections(folder: string): Promise<readonly SampleCorrection[]> {
  const corrections: SampleCorrection[] = []
  for await (const row of rowsOf(join(folder, CORRECTIONS))) corrections.push(SampleCorrection.parse(row))
  return corrections
}

async function* rowsOf(file: string): AsyncGenerator<SampleTimelineItem['fields']> {
  const { bytes } = await openSource(file, process.stdin)
  for await (const record of jsonlRecords(bytes)) {
    if (record.kind === 'malformed') throw new Error(`${file}: line ${record.line}: ${record.reason}`)
    yield record.fields
  }
}

function versionOf(
  { text }: SampleTimelineItem['fields'],
  { characters, title }: Omit<z.infer<typeof Row>, 'seconds' | 'item'>,
) {
  const start = characters === undefined ? null : String(text).slice(0, characters)
  return {
    ...(title !== undefined && { title }),
    ...(start !== null && { text: start.slice(0, start.lastIndexOf('. ') + 1) }),
  }
}

/** The item as it is published if the sample is imported at `at`, in milliseconds since 1970. */
export function datedFields({ kind, seconds, fields }: SampleTimelineItem, at: number): SampleTimelineItem['fields'] {
  const date = new Date(at + seconds * 1_000).toISOString()
  return { ...fields, [kind === 'article' ? 'published_date' : 'created_at']: date }
}
