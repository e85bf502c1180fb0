import { besideName } from '../../adapters/beside-log.ts'
import type { Envelope } from '../../events/envelope.ts'
import type { Codec, LogRecord } from '../../ports/log.ts'
import { digestOf, profileOf, type Profile } from './results.ts'
import type { RunBesidePorts } from './run-beside.ts'
import type { Reprocessed } from './stages.ts'

/** An output of a stage and its record. */
interface StageOutput {
  readonly event: Envelope
  readonly record: LogRecord
}

export type ResultPorts = Pick<RunBesidePorts, 'log' | 'codec'>

/** `before`: the live topics; `after`: those of the shadow run. */
type Version = 'before' | 'after'

/**
 * Every event that a stage has written, partition after partition; skips tombstones and records that cannot be decoded.
 */
export async function* outputs(
  stage: Reprocessed,
  version: Version,
  { log, codec }: ResultPorts,
): AsyncGenerator<StageOutput> {
  const topic = version === 'before' ? stage.output.name : besideName(stage.output.name)
  for (const partition of (await log.ends(topic)).keys()) {
    for await (const chunk of log.read(topic, partition, 0)) {
      for (const record of chunk) {
        const event = await eventOf(stage, record, codec)
        if (event !== null) yield { event, record }
      }
    }
  }
}

async function eventOf({ output, name }: Reprocessed, { value }: LogRecord, codec: Codec): Promise<Envelope | null> {
  if (value === null) return null
  const decoded = await codec.decode(output, value)
  // the topic may have other producers, such as direct analysis
  return decoded.kind === 'event' && decoded.event.produced_by.stage === name ? decoded.event : null
}

/** The newest profile of each result of one version, and the version labels of its events. */
export async function resultsOf(stage: Reprocessed, version: Version, ports: ResultPorts) {
  const results = new Map<string, Profile>()
  const versions = new Set<string>()
  for await (const { event, record } of outputs(stage, version, ports)) {
    const profile = contentOf(event)
    results.set(nameOf(stage, { event, record }, profile), profile)
    versions.add(event.produced_by.version)
  }
  return { results, versions }
}

/** These ids depend on the revision, and a new version's result is a revision of its own, so they are not compared. */
const REVISION = ['content_hash', 'embedding_id', 'job_id']

export function contentOf(event: Envelope): Profile {
  const profile = new Map(profileOf(event))
  for (const field of REVISION) profile.delete(field)
  return profile
}

/** A name that is the same for both versions of a result. */
function nameOf({ changelog, name }: Reprocessed, { event, record }: StageOutput, profile: Profile): string {
  if (changelog === null) return inputOf(event)
  return name === 'enriched' ? (record.key ?? '') : `${event.namespace} ${digestOf(profile)}`
}

/** The position of the input record that the result was derived from. */
export const inputOf = ({ caused_by }: Envelope): string =>
  caused_by === null ? '' : `${caused_by.topic} ${caused_by.partition} ${caused_by.offset}`

/** A result for a revision of an article. */
export interface Revision extends Envelope {
  readonly article_id: string
  readonly content_hash: string
}

export const isRevision = (event: Envelope): event is Revision => 'article_id' in event && 'content_hash' in event
