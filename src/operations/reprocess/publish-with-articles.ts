import { besideName } from '../../adapters/beside-log.ts'
import { articlesScored } from '../../events/articles.ts'
import type { CausedBy } from '../../events/envelope.ts'
import { derivedId } from '../../events/ids.ts'
import type { Codec, Log, LogRecord, OutRecord, Place } from '../../ports/log.ts'
import { placeLogged } from '../../runtime/dead-letter.ts'
import { writeTransaction } from '../lag/positions.ts'
import type { ResultPorts, Revision } from './outputs.ts'

/** A result to publish. */
export interface PublishWithArticlesResult {
  readonly record: OutRecord
  /**
   * The result as the next revision of its article; `null` if the old version had no result, so that it is published as
   * it is.
   */
  readonly revision: Revision | null
}

/**
 * Readers join an analysis with its article, so a new revision has to be in both topics. Both are published in one
 * transaction, so that neither exists without the other. The running stage then emits a second result for the revision,
 * which is ignored because the first is kept.
 */
export async function publishWithArticles(
  results: readonly PublishWithArticlesResult[],
  { log, codec }: ResultPorts,
): Promise<void> {
  const articles = await articlesOf(results, { log, codec })
  const group = besideName('analyzed')
  const committed = await log.committed(group, articlesScored.name)
  const next = committed.flatMap((offset, partition): Place[] =>
    offset === null ? [] : [{ topic: articlesScored.name, partition, offset }],
  )
  const records = [...results.map(({ record }) => record), ...articles]
  await writeTransaction(log, `${group}-switch`, { records, group, next })
}

/** The articles, each as the revision of its new analysis. */
async function articlesOf(
  results: readonly PublishWithArticlesResult[],
  { log, codec }: ResultPorts,
): Promise<readonly OutRecord[]> {
  const revised = results.flatMap(({ revision }) =>
    revision?.caused_by == null ? [] : [{ revision, place: revision.caused_by }],
  )
  const revisionAt = new Map(revised.map(({ revision, place }) => [placeName(place), revision]))
  const { length } = await log.ends(articlesScored.name)
  const places = new Map<number, number[]>()
  for (const { revision, place } of revised) {
    // not the partition of the place, which is from before the partitions grew
    const partition = log.partitionOf(revision.article_id, length)
    places.set(partition, [...(places.get(partition) ?? []), place.offset])
  }
  const articles: OutRecord[] = []
  for (const [partition, offsets] of places) {
    for await (const record of recordsAround(log, partition, offsets)) {
      const revision = revisionAt.get(placeName(placeLogged(record)))
      if (revision !== undefined) articles.push(await asRevision(record, revision, codec))
    }
  }
  return articles
}

/** The records between the lowest and the highest of some offsets. */
async function* recordsAround(log: Log, partition: number, offsets: readonly number[]): AsyncGenerator<LogRecord> {
  const last = Math.max(...offsets)
  for await (const chunk of log.read(articlesScored.name, partition, Math.min(...offsets))) {
    for (const record of chunk) if (record.offset <= last) yield record
    if ((chunk.at(-1)?.offset ?? 0) >= last) return
  }
}

async function asRevision(
  { value, offset, topic }: LogRecord,
  { content_hash }: Revision,
  codec: Codec,
): Promise<OutRecord> {
  const decoded = value === null ? null : await codec.decode(articlesScored, value)
  if (decoded?.kind !== 'event') throw new Error(`the record of ${topic} at offset ${offset} is not an article`)
  const { produced_by, event_id } = decoded.event
  const event = { ...decoded.event, content_hash, event_id: derivedId(produced_by, `${event_id}@${content_hash}`) }
  return {
    topic: articlesScored.name,
    key: articlesScored.key(event),
    value: await codec.encode(articlesScored, event),
  }
}

const placeName = ({ partition, offset }: Pick<CausedBy, 'partition' | 'offset'>): string => `${partition} ${offset}`
