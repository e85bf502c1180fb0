import { sha256, derivedId } from '../../events/ids.ts'
import type { LogRecord } from '../../ports/log.ts'
import { differing, type Profile } from './results.ts'
import { contentOf, inputOf, isRevision, outputs, type ResultPorts, type Revision } from './outputs.ts'
import type { Reprocessed } from './stages.ts'
import { publishWithArticles, type PublishWithArticlesResult } from './publish-with-articles.ts'

/** What a reader takes for an article's newest revision. */
interface Newest {
  /** Place of the input it is the result of. */
  readonly input: string
  readonly profile: Profile
  /** Where it stands. */
  readonly record: Pick<LogRecord, 'partition' | 'offset'>
}

const PUBLISHED_AT_ONCE = 200

/**
 * Publishes what the new version says otherwise about the newest revision of each article, and what it says where the old one
 * said nothing. It is published as the next revision: a reader that keeps only the first event of a revision receives it, and nobody
 * counts the article twice. What was said of older revisions stays as it was said. Answers how many results were published;
 * killed in between and begun again it publishes the rest, for what was published is the newest then. An article of which the running
 * stage emits a newer text meanwhile is left alone.
 */
export async function switchResults(stage: Reprocessed, ports: ResultPorts): Promise<number> {
  const publish = stage.name === 'analyzed' ? publishWithArticles : publishAlone
  const ours = new Set<string>()
  const newcomers = await newcomersTo(stage, ports, ours)
  const publishBatch = async (batch: readonly Sorted[]): Promise<number> => {
    const newer = await newcomers()
    const still = batch.filter(({ article }) => !newer.has(article))
    still.forEach(({ eventId }) => ours.add(eventId))
    if (still.length > 0) await publish(still, ports)
    return still.length
  }
  let published = 0
  let batch: Sorted[] = []
  for await (const result of resultsToPublish(stage, ports)) {
    batch.push(result)
    if (batch.length < PUBLISHED_AT_ONCE) continue
    published += await publishBatch(batch)
    batch = []
  }
  return published + (await publishBatch(batch))
}

/** A result with whose it is. */
type Sorted = PublishWithArticlesResult & { readonly article: string; readonly eventId: string }

const publishAlone = async (results: readonly PublishWithArticlesResult[], { log }: ResultPorts): Promise<void> => {
  await log.produce(results.map(({ record }) => record))
}

/** In the order of the new version's output. */
async function* resultsToPublish(stage: Reprocessed, ports: ResultPorts): AsyncGenerator<Sorted> {
  const replacements = await otherwise(stage, ports)
  for await (const { event } of outputs(stage, 'after', ports)) {
    const input = inputOf(event)
    const replaced = replacements.get(input)
    if (replaced === undefined || !isRevision(event)) continue
    replacements.delete(input) // a repeated batch of the run beside has it twice
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

/** What each result that is to be published takes the place of, by the place of its input; `null` if there was no result. */
async function otherwise(stage: Reprocessed, ports: ResultPorts): Promise<Map<string, Newest | null>> {
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

/** The results in the log: the first for the last revision of each article, and every input that has a result. */
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

/** The id of a revision says which text it is of; of this one, and which result it takes the place of. */
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
 * Reads, at each call, the articles of which the running stage has emitted something since this was made: what they say now is
 * newer than what was found out before it, and no older text may be emitted after it. Events of this run are `ours`.
 */
async function newcomersTo(
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
