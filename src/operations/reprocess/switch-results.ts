import { sha256, derivedId } from '../../events/ids.ts'
import type { LogRecord } from '../../ports/log.ts'
import { differing, type Profile } from './results.ts'
import { contentOf, inputOf, isRevision, outputs, type ResultPorts, type Revision } from './outputs.ts'
import type { Reprocessed } from './stages.ts'
import { publishWithArticles, type PublishWithArticlesResult } from './publish-with-articles.ts'

/** The newest revision of an article. */
interface Newest {
  /** Position of the input that it was derived from. */
  readonly input: string
  readonly profile: Profile
  /** Position of the result. */
  readonly record: Pick<LogRecord, 'partition' | 'offset'>
}

const BATCH_SIZE = 200

/**
 * Publishes the results that differ for the newest revision of each article, and those that the old version did not
 * have. Each is published as the next revision, so that readers that keep only the first event of a revision receive it
 * and the article is not counted twice. Results of older revisions stay unchanged. Returns the number of published
 * results. A run that was interrupted can be repeated: published results are then the newest, so only the rest is
 * published. Articles for which the running stage emits a result in the meantime are skipped.
 */
export async function switchResults(stage: Reprocessed, ports: ResultPorts): Promise<number> {
  const publish = stage.name === 'analyzed' ? publishWithArticles : publishAlone
  const ours = new Set<string>()
  const newerArticles = await newerArticlesOf(stage, ports, ours)
  const publishBatch = async (batch: readonly ResultToPublish[]): Promise<number> => {
    const newer = await newerArticles()
    const current = batch.filter(({ article }) => !newer.has(article))
    current.forEach(({ eventId }) => ours.add(eventId))
    if (current.length > 0) await publish(current, ports)
    return current.length
  }
  let published = 0
  let batch: ResultToPublish[] = []
  for await (const result of resultsToPublish(stage, ports)) {
    batch.push(result)
    if (batch.length < BATCH_SIZE) continue
    published += await publishBatch(batch)
    batch = []
  }
  return published + (await publishBatch(batch))
}

/** A result with its article and event id. */
type ResultToPublish = PublishWithArticlesResult & { readonly article: string; readonly eventId: string }

const publishAlone = async (results: readonly PublishWithArticlesResult[], { log }: ResultPorts): Promise<void> => {
  await log.produce(results.map(({ record }) => record))
}

/** In the order of the shadow output. */
async function* resultsToPublish(stage: Reprocessed, ports: ResultPorts): AsyncGenerator<ResultToPublish> {
  const replacements = await replacedResults(stage, ports)
  for await (const { event } of outputs(stage, 'after', ports)) {
    const input = inputOf(event)
    const replaced = replacements.get(input)
    if (replaced === undefined || !isRevision(event)) continue
    replacements.delete(input) // a repeated batch of the shadow run has it twice
    const revision = replaced === null ? null : nextRevision(event, replaced.record)
    const published = revision ?? event
    const record = {
      topic: stage.output.name,
      key: stage.output.key(published),
      value: await ports.codec.encode(stage.output, published),
    }
    yield { record, revision, article: articleOf(event), eventId: published.event_id }
  }
}

/** The live result that each result to publish replaces, by input position; `null` if there is none. */
async function replacedResults(stage: Reprocessed, ports: ResultPorts): Promise<Map<string, Newest | null>> {
  const { newest, inputs } = await liveResults(stage, ports)
  const byInput = new Map([...newest.values()].map((one) => [one.input, one]))
  const replacements = new Map<string, Newest | null>()
  for await (const { event } of outputs(stage, 'after', ports)) {
    const input = inputOf(event)
    const known = byInput.get(input)
    if (known !== undefined && differing(known.profile, contentOf(event)).length > 0) replacements.set(input, known)
    else if (!inputs.has(input)) replacements.set(input, null)
  }
  return replacements
}

/** The live results: the first event of each article's last revision, and every input that has a result. */
async function liveResults(stage: Reprocessed, ports: ResultPorts) {
  const newest = new Map<string, Newest>()
  const seen = new Set<string>()
  const inputs = new Set<string>()
  for await (const { event, record } of outputs(stage, 'before', ports)) {
    const input = inputOf(event)
    inputs.add(input)
    if (!isRevision(event)) continue
    const article = articleOf(event)
    const revision = `${article} ${event.content_hash}`
    if (seen.has(revision)) continue
    seen.add(revision)
    const { partition, offset } = record
    newest.set(article, { input, profile: contentOf(event), record: { partition, offset } })
  }
  return { newest, inputs }
}

/** A revision whose id is derived from its text, its version and the result it replaces. */
function nextRevision(event: Revision, { partition, offset }: Newest['record']): Revision {
  const { content_hash, produced_by, event_id } = event
  const replaced = `${partition}:${offset}`
  return {
    ...event,
    content_hash: sha256(`${content_hash}\nreprocessed ${produced_by.version} ${replaced}`)
      .toString('hex')
      .slice(0, 32),
    event_id: derivedId(produced_by, `${event_id}@${replaced}`),
  }
}

const articleOf = ({ namespace, article_id }: Revision): string => `${namespace} ${article_id}`

/**
 * Returns a function that reads the articles for which the running stage has emitted a result since this call. That
 * result is newer than the comparison, so no older text may be published after it. `ours` has the ids of the events
 * that this run has published.
 */
async function newerArticlesOf(
  { output }: Reprocessed,
  { log, codec }: ResultPorts,
  ours: ReadonlySet<string>,
): Promise<() => Promise<ReadonlySet<string>>> {
  const next = [...(await log.ends(output.name))]
  const articles = new Set<string>()
  const take = async ({ partition, offset, value }: LogRecord): Promise<void> => {
    next[partition] = offset + 1
    const decoded = value === null ? null : await codec.decode(output, value)
    if (decoded?.kind !== 'event' || ours.has(decoded.event.event_id)) return
    if (isRevision(decoded.event)) articles.add(articleOf(decoded.event))
  }
  return async () => {
    for (const [partition, end] of (await log.ends(output.name)).entries()) {
      const from = next[partition] ?? 0
      if (from >= end) continue
      for await (const records of log.read(output.name, partition, from)) {
        for (const record of records) await take(record)
      }
    }
    return articles
  }
}
