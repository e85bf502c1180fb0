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

/** Which of the two versions: what stands in the log for all to read, or what was made beside it. */
type Version = 'before' | 'after'

/** Everything a stage has written, partition after partition; tombstones and what cannot be read are left out. */
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
  // others may write to the same topic (a direct analysis, say): that is none of ours
  return decoded.kind === 'event' && decoded.event.produced_by.stage === name ? decoded.event : null
}

/** The newest of each result of one version, and what the version calls itself. */
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

/** Named after the revision, not after what the text says: a result of a new version is a revision of its own. */
const REVISION = ['content_hash', 'embedding_id', 'job_id']

export function contentOf(event: Envelope): Profile {
  const profile = new Map(profileOf(event))
  for (const field of REVISION) profile.delete(field)
  return profile
}

/** What two versions of one result have in common. */
function nameOf({ changelog, name }: Reprocessed, { event, record }: StageOutput, profile: Profile): string {
  if (changelog === null) return inputOf(event)
  return name === 'enriched' ? (record.key ?? '') : `${event.namespace} ${digestOf(profile)}`
}

/** The place of the input that it is the result of. */
export const inputOf = ({ caused_by }: Envelope): string =>
  caused_by === null ? '' : `${caused_by.topic} ${caused_by.partition} ${caused_by.offset}`

/** A result about a revision of an article. */
export interface Revision extends Envelope {
  readonly article_id: string
  readonly content_hash: string
}

export const isRevision = (event: Envelope): event is Revision => 'article_id' in event && 'content_hash' in event
