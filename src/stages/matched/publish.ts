import { afterMessage, isHeldBack, isReleased } from '../../domain/monitors/pace.ts'
import type { MatchedStory, StoryMatched } from '../../events/monitors.ts'
import { STAGES } from '../../events/stages.ts'
import { derivedEnvelope, type DatedCause } from '../../state/derived-envelope.ts'
import { paceEntry, type MatchedPaceRecord, type MatchedUpdate } from './changelog.ts'
import type { StoryMatch } from './evaluate.ts'
import type { KnownMonitor, MatchedNamespace } from './memory.ts'

/** The input that causes a message, and when it was logged: messages are paced by log time. */
export interface MessageCause {
  readonly cause: DatedCause
  readonly loggedAt: number
}

export interface Published {
  readonly events: readonly StoryMatched[]
  readonly remember: readonly MatchedUpdate[]
}

/** Matches that are held back for one digest. Older ones are in the list of matches only. */
const MOST_HELD = 200

type Paces = Pick<MatchedNamespace, 'paces'>

/** The events of new matches: each is sent at once or held back, by the pace of its monitor. */
export function published({ paces }: Paces, by: MessageCause, matches: readonly StoryMatch[]): Published {
  const { namespace } = by.cause.event
  const changed = new Map<string, MatchedPaceRecord>()
  const events = matches.map(({ monitor, story }): StoryMatched => {
    const id = monitor.monitor_id
    const pace = changed.get(id) ?? paces.get(id) ?? unused(id)
    const isHeld = isHeldBack(monitor, pace, by.loggedAt)
    changed.set(id, isHeld ? withHeld(pace, story, by.loggedAt) : { ...pace, ...afterMessage(pace, by.loggedAt) })
    const about = [namespace, monitor.hit, story.cluster_id].join('\n')
    return {
      ...derivedEnvelope(STAGES.matched, by.cause, about),
      ...{ type: 'monitor.matched', notify: !isHeld, stories: [story], ...named(monitor) },
    }
  })
  return { events, remember: [...changed.values()].map((pace) => paceEntry(namespace, pace)) }
}

/** The digests that are due, by monitor id, and the paces after them. */
export function released({ monitors, hitOf, paces }: MatchedNamespace, by: MessageCause): Published & Paces {
  const { namespace } = by.cause.event
  const after = new Map(paces)
  const events: StoryMatched[] = []
  const remember: MatchedUpdate[] = []
  for (const [id, pace] of [...paces].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const monitor = monitors.get(hitOf.get(id) ?? '')
    if (monitor === undefined || !isReleased(monitor, pace, by.loggedAt)) continue
    const about = [namespace, monitor.monitor_id, 'digest', pace.held_since].join('\n')
    events.push({
      ...derivedEnvelope(STAGES.matched, by.cause, about),
      ...{ type: 'monitor.digest', notify: true, stories: pace.held, ...named(monitor) },
    })
    const next = { ...pace, ...afterMessage(pace, by.loggedAt), held: [] }
    after.set(id, next)
    remember.push(paceEntry(namespace, next))
  }
  return { events, remember, paces: after }
}

const named = ({ monitor_id, name, owner, conditions_version }: KnownMonitor) => ({
  monitor_id,
  monitor_name: name,
  owner,
  conditions_version,
})

const unused = (monitor_id: string): MatchedPaceRecord => ({ monitor_id, day: 0, sent: 0, held_since: null, held: [] })

const withHeld = (pace: MatchedPaceRecord, story: MatchedStory, at: number): MatchedPaceRecord => ({
  ...pace,
  held_since: pace.held_since ?? at,
  held: [...pace.held, story].slice(-MOST_HELD),
})
