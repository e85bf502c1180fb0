import { storiesEnriched, type StoryEnriched } from '../../events/discourse.ts'
import type { CausedBy, Envelope } from '../../events/envelope.ts'
import { storiesLinked, type StoryLinked } from '../../events/graph.ts'
import { storiesTransitioned, type StoryTransitioned } from '../../events/lifecycle.ts'
import { nothingLeft } from '../../stages/enriched/reception.ts'
import { contentOf } from './outputs.ts'
import { differing } from './results.ts'

/** The newest events of the two versions about one subject; `null` if there is none. */
export interface SubjectPair<Event> {
  readonly before: Event | null
  readonly after: Event | null
}

/** How the newest state of a stage's output is read from its events, and how it is corrected. */
export interface CorrectedOutput<Event extends Envelope> {
  /** What an event is about. The newest event about a subject holds. `null` for an event that no reader keeps. */
  subjectOf(event: Event): string | null
  /** Of two events about a subject the one with the larger rank is newer; of equal ones the later in the log. */
  rankOf(event: Event): number
  /** The event that makes `after` the newest state; `null` if it is already. Its id and producer are set later. */
  correction(pair: SubjectPair<Event>, at: SwitchPoint): Event | null
}

export interface SwitchPoint {
  /** The newest event time of the namespace. */
  readonly newestTime: number
  /** The last input that the new version has read. */
  readonly upTo: CausedBy | null
}

const linked: CorrectedOutput<StoryLinked> = {
  subjectOf: ({ namespace, kind, source, target, type }) =>
    kind === 'build' ? null : [namespace, kind, source, target ?? '', type].join('\n'),
  rankOf: ({ caused_by }) => caused_by?.offset ?? -1,
  // holds from the newest event time, so that earlier points in time show what was published then
  correction: ({ before, after }, { newestTime, upTo }) => {
    const [was, now] = [existing(before), existing(after)]
    const since = { occurred_at: newestTime, caused_by: upTo }
    if (now === null) return was === null ? null : { ...was, ...since, action: 'removed' }
    if (was === null) return { ...now, ...since, action: 'added' }
    return linkOf(was) === linkOf(now) ? null : { ...now, ...since, action: 'changed' }
  },
}

const existing = (event: StoryLinked | null): StoryLinked | null =>
  event === null || event.action === 'removed' ? null : event

const linkOf = ({ directed, confidence, shared_entities, thread_id }: StoryLinked): string =>
  JSON.stringify([directed, confidence, shared_entities, thread_id])

const enriched: CorrectedOutput<StoryEnriched> = {
  subjectOf: ({ namespace, cluster_id, platform }) => [namespace, cluster_id, platform].join('\n'),
  rankOf: () => 0,
  correction: ({ before, after }) => {
    const [was, now] = [withPosts(before), withPosts(after)]
    if (now === null) return was === null ? null : { ...was, ...nothingLeft(was.fetched_at) }
    return was !== null && differing(contentOf(was), contentOf(now)).length === 0 ? null : now
  },
}

const transitioned: CorrectedOutput<StoryTransitioned> = {
  subjectOf: ({ namespace, cluster_id }) => [namespace, cluster_id].join('\n'),
  rankOf: ({ evaluated_at }) => evaluated_at,
  // holds from the newest evaluation
  correction: ({ before: was, after: now }, { newestTime }) => {
    if (was === null || now === null) return now
    if (was.lifecycle_state === now.lifecycle_state) return null
    return { ...now, previous_state: was.lifecycle_state, occurred_at: newestTime, evaluated_at: newestTime }
  },
}

const withPosts = (event: StoryEnriched | null): StoryEnriched | null =>
  event === null || event.sample.posts === 0 ? null : event

/** By output topic. The events of other topics are facts that are not taken back. */
export const CORRECTED = new Map<string, CorrectedOutput<Envelope>>([
  [storiesLinked.name, linked],
  [storiesEnriched.name, enriched],
  [storiesTransitioned.name, transitioned],
])
