import { sha256, derivedId } from '../../events/ids.ts'
import type { LogRecord } from '../../ports/log.ts'
import { differing } from './results.ts'
import type { Profile } from './profile.ts'
import { articleOf, Newcomers } from './newcomers.ts'
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

/** A result that is to be published, and what it takes the place of; null: of nothing, the old version had none. */
interface ReplacedResult {
  readonly replaces: Newest | null
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
  const newcomers = await Newcomers.since(stage, ports)
  const publishBatch = async (batch: readonly Sorted[]): Promise<number> => {
    const newer = await newcomers.readOn()
    const still = batch.filter(({ article }) => !newer.has(article))
    still.forEach(({ eventId }) => newcomers.add(eventId))
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
    const found = replacements.get(input)
    if (found === undefined || !isRevision(event)) continue
    replacements.delete(input) // a repeated batch of the run beside has it twice
    const revision = found.replaces === null ? null : nextRevision(event, found.replaces.record)
    const published = revision ?? event
    const record = {
      topic: stage.output.name,
      key: stage.output.key(published),
      value: await ports.codec.encode(stage.output, published),
    }
    yield { record, revision, article: articleOf(event), eventId: published.event_id }
  }
}

/** By the place of their input. */
async function otherwise(stage: Reprocessed, ports: ResultPorts): Promise<Map<string, ReplacedResult>> {
  const { newest, inputs } = await liveResults(stage, ports)
  const byInput = new Map([...newest.values()].map((one) => [one.input, one]))
  const replacements = new Map<string, ReplacedResult>()
  for await (const { event } of outputs(stage, 'after', ports)) {
    const input = inputOf(event)
    const known = byInput.get(input)
    if (known !== undefined && differing(known.profile, contentOf(event)).length > 0) {
      replacements.set(input, { replaces: known })
    } else if (!inputs.has(input)) replacements.set(input, { replaces: null })
  }
  return replacements
}

interface LiveResults {
  /** By article. */
  readonly newest: ReadonlyMap<string, Newest>
  /** Every input that has a result. */
  readonly inputs: ReadonlySet<string>
}

/** What stands in the log: of each article the revision that came last, the first word on it. */
async function liveResults(stage: Reprocessed, ports: ResultPorts): Promise<LiveResults> {
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
    newest.set(article, {
      input,
      profile: contentOf(event),
      record: { partition: record.partition, offset: record.offset },
    })
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
