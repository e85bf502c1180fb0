import type { StoryLinked } from '../../events/graph.ts'
import { derivedId } from '../../events/ids.ts'
import { STAGES } from '../../events/stages.ts'
import type { ArticleClustered } from '../../events/ledger.ts'
import type { GraphChange, LinkChange, ThreadChange } from '../../domain/graph/change.ts'

/** Event time of a story's first article before and after a line; undefined: it had none. */
export interface FirstAt {
  readonly before: (clusterId: string) => number | undefined
  readonly after: (clusterId: string) => number | undefined
}

export interface LinkCause {
  readonly event: Pick<ArticleClustered, 'event_id' | 'namespace' | 'occurred_at' | 'action'>
  readonly place: { readonly topic: string; readonly partition: number; readonly offset: number }
  readonly firstAt: FirstAt
}

/** The words on what a line of the ledger made different in the graph. */
export const linkedEvents = ({ links, threads }: GraphChange, cause: LinkCause): readonly StoryLinked[] => [
  ...links.map((change) => ofLink(change, cause)),
  ...threads.map((change) => ofThread(change, cause)),
]

const ofLink = ({ action, link }: LinkChange, cause: LinkCause): StoryLinked => ({
  ...envelope(cause, `${link.source}\n${link.target}\n${link.type}`),
  occurred_at: holdsFrom([link.source, link.target], action, cause),
  kind: 'relationship',
  action,
  ...link,
  thread_id: null,
  thread_title: null,
  built: null,
})

const ofThread = ({ action, cluster_id, thread_id }: ThreadChange, cause: LinkCause): StoryLinked => ({
  ...envelope(cause, `${cluster_id}\nthread`),
  occurred_at: holdsFrom([cluster_id], action, cause),
  kind: 'thread',
  action,
  source: cluster_id,
  target: null,
  type: 'thread',
  directed: false,
  confidence: 1,
  shared_entities: [],
  thread_id,
  thread_title: null,
  built: null,
})

const envelope = (
  { event, place: { topic, partition, offset } }: LinkCause,
  about: string,
): Pick<StoryLinked, 'event_id' | 'namespace' | 'caused_by' | 'produced_by'> => ({
  event_id: derivedId(STAGES.linked, `${event.event_id}\n${about}`),
  namespace: event.namespace,
  caused_by: { topic, partition, offset },
  produced_by: STAGES.linked,
})

/**
 * From the line's own time on, but never before all these stories were there: an article may be older than those that came
 * before it. A curator's word holds at every moment at which they are. Their first articles are those of now; of what is no
 * more, those there were.
 */
function holdsFrom(stories: readonly string[], action: LinkChange['action'], { event, firstAt }: LinkCause): number {
  const [first, second] = action === 'removed' ? [firstAt.before, firstAt.after] : [firstAt.after, firstAt.before]
  const times = stories.flatMap((id) => first(id) ?? second(id) ?? [])
  return event.action === 'corrected' && times.length > 0 ? Math.max(...times) : Math.max(event.occurred_at, ...times)
}
