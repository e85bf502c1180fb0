import { importArticles, type ArticleImportPorts } from '../import-articles.ts'
import type { FilesPorts } from '../import-files.ts'
import { importPosts } from '../import-posts.ts'
import { noCheckpoint } from '../import-state.ts'
import type { SourceRecord } from '../records.ts'
import { startImport } from '../settle-stories.ts'
import { SourceTally } from '../tally.ts'
import { datedFields, sampleTimeline, type SampleTimelineItem } from './timeline.ts'

export interface SampleImport {
  /** Folder of the sample. */
  readonly folder: string
  readonly namespace: string
  /** The time that the dates of the sample are relative to, in milliseconds since 1970. */
  readonly at: number
  /** Publish what is dated before `at`. */
  readonly past: boolean
  /** Publish what is dated after `at`, when its time comes. */
  readonly stream: boolean
  readonly wait: boolean
}

/**
 * Imports the sample: news of 14 days, dated relative to `at`. What is dated later is published when its time comes, as
 * a live source would. Repeating the import with the same `at` publishes the same events, which changes nothing.
 */
export async function importSample(what: SampleImport, ports: FilesPorts): Promise<SampleTally> {
  const timeline = await sampleTimeline(what.folder)
  const isPast = ({ seconds }: SampleTimelineItem): boolean => seconds <= 0
  const counted = { tally: new SourceTally(), posts: 0 }
  if (what.past) await importPast(timeline.filter(isPast), { what, ports, counted })
  if (what.stream)
    await streamRest(
      timeline.filter((item) => !isPast(item)),
      { what, ports, counted },
    )
  return counted
}

/** Counts of what was published. */
export interface SampleTally {
  readonly tally: SourceTally
  posts: number
}

interface SampleRun {
  readonly what: SampleImport
  readonly ports: FilesPorts
  readonly counted: SampleTally
}

/** All articles first, so that the posts find the stories that they belong to. */
async function importPast(items: readonly SampleTimelineItem[], run: SampleRun): Promise<void> {
  const { what, ports, counted } = run
  const { log, codec, end } = await startImport(ports, what)
  const publish = publishing(run, { log, codec })
  await publish(items.filter(isArticle))
  await end(counted.tally)
  await publish(items.filter((item) => !isArticle(item)))
}

async function streamRest(items: readonly SampleTimelineItem[], run: SampleRun): Promise<void> {
  const { what, ports } = run
  const publish = publishing(run, { log: await ports.log(), codec: await ports.codec() })
  for (const [index, item] of items.entries()) {
    await ports.clock.sleep(Math.max(0, what.at + item.seconds * 1_000 - ports.clock.now()))
    await publish([item])
    ports.progress.update(() => `${index + 1} of ${items.length} articles and posts have arrived`)
  }
  ports.progress.end()
}

const isArticle = ({ kind }: SampleTimelineItem): boolean => kind === 'article'

const onUnavailable =
  ({ progress }: Pick<FilesPorts, 'progress'>) =>
  (): void =>
    progress.print('sample: Kafka is not reachable, retrying')

function publishing({ what, ports, counted }: SampleRun, access: Pick<ArticleImportPorts, 'log' | 'codec'>) {
  const { at, namespace } = what
  const { clock, progress } = ports
  const out = {
    ...access,
    clock,
    onUnavailable: onUnavailable(ports),
    onProgress: () => progress.update(() => `${counted.tally.accepted} articles published`),
  }
  const source = { namespace, producer: 'import-sample', file: null, rate: null, checkpoint: noCheckpoint }
  return async (items: readonly SampleTimelineItem[]): Promise<void> => {
    const [articles, posts] = [items.filter(isArticle), items.filter((item) => !isArticle(item))]
    if (articles.length > 0) await importArticles({ ...source, records: recordsOf(articles, at) }, out, counted.tally)
    if (posts.length === 0) return
    const { accepted } = await importPosts({ namespace, rate: null, records: recordsOf(posts, at) }, out)
    counted.posts += accepted
  }
}

async function* recordsOf(items: readonly SampleTimelineItem[], at: number): AsyncGenerator<SourceRecord> {
  for (const [index, item] of items.entries()) yield { kind: 'fields', line: index + 1, fields: datedFields(item, at) }
}
