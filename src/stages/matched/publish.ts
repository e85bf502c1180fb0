import { afterMessage, isHeldBack, isReleased } from '../../domain/monitors/pace.ts'
import type { StoryMatched } from '../../events/monitors.ts'
import { STAGES } from '../../events/stages.ts'
import { derivedEnvelope, type DatedCause } from '../../state/derived-envelope.ts'
import { tombstone } from '../../state/entry.ts'
import {
  heldEntry,
  heldKey,
  paceEntry,
  type MatchedHeldRecord,
  type MatchedPaceRecord,
  type MatchedUpdate,
} from './changelog.ts'
import type { StoryMatch } from './evaluate.ts'
import { heldOf, type KnownMonitor, type MatchedNamespace } from './memory.ts'

/** The input that causes a message, and when it was logged: messages are paced by log time. */
export interface MessageCause {
  readonly cause: DatedCause
  readonly loggedAt: number
}

export interface Published {
  readonly events: readonly StoryMatched[]
  readonly remember: readonly MatchedUpdate[]
}

/** Matches of one digest. Older ones are in the list of matches only. */
const MOST_HELD = 200

type Paces = Pick<MatchedNamespace, 'paces' | 'waiting'>

/** The events of new matches: each is sent at once or held back, by the pace of its monitor. */
export function published(held: Paces, by: MessageCause, matches: readonly StoryMatch[]): Published {
  const { namespace } = by.cause.event
  const paces = new Map<string, MatchedPaceRecord>()
  const kept: MatchedUpdate[] = []
  const events = matches.map(({ monitor, story }): StoryMatched => {
    const id = monitor.monitor_id
    const pace = paces.get(id) ?? held.paces.get(id) ?? unused(id)
    const isHeld = isHeldBack(monitor, pace, by.loggedAt)
    paces.set(
      id,
      isHeld
        ? { ...pace, held_since: pace.held_since ?? by.loggedAt }
        : { ...pace, ...afterMessage(pace, by.loggedAt) },
    )
    if (isHeld) kept.push(...withHeld(held, namespace, { monitor_id: id, held_at: by.loggedAt, story }))
    const about = [namespace, id, monitor.conditions_version, story.cluster_id].join('\n')
    return {
      ...derivedEnvelope(STAGES.matched, by.cause, about),
      ...{ type: 'monitor.matched', notify: !isHeld, stories: [story], ...named(monitor) },
    }
  })
  return { events, remember: [...kept, ...[...paces.values()].map((pace) => paceEntry(namespace, pace))] }
}

function withHeld(held: Paces, namespace: string, record: MatchedHeldRecord): readonly MatchedUpdate[] {
  const surplus = heldOf(held, record.monitor_id).slice(0, -(MOST_HELD - 1))
  return [...surplus.map((one) => tombstone(heldKey(namespace, one))), heldEntry(namespace, record)]
}

/** The digests that are due, by monitor id, and the paces after them. */
export function released(held: MatchedNamespace, by: MessageCause): Published & Paces {
  const { namespace } = by.cause.event
  const [paces, waiting] = [new Map(held.paces), new Map(held.waiting)]
  const events: StoryMatched[] = []
  const remember: MatchedUpdate[] = []
  for (const [id, pace] of [...held.paces].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const monitor = held.monitors.get(id)
    if (monitor?.active !== true || !isReleased(monitor, pace, by.loggedAt)) continue
    const records = heldOf(held, id)
    const about = [namespace, id, 'digest', pace.held_since].join('\n')
    events.push({
      ...derivedEnvelope(STAGES.matched, by.cause, about),
      ...{ type: 'monitor.digest', notify: true, stories: records.map(({ story }) => story), ...named(monitor) },
    })
    const next = { ...pace, ...afterMessage(pace, by.loggedAt) }
    paces.set(id, next)
    waiting.delete(id)
    remember.push(paceEntry(namespace, next), ...records.map((one) => tombstone(heldKey(namespace, one))))
  }
  return { events, remember, paces, waiting }
}

/** Drops the matches that are held back, of a monitor that is paused or deleted. */
export function withoutHeld(held: MatchedNamespace, namespace: string, monitorId: string): readonly MatchedUpdate[] {
  const pace = held.paces.get(monitorId)
  return [
    ...heldOf(held, monitorId).map((one) => tombstone(heldKey(namespace, one))),
    ...(pace === undefined ? [] : [paceEntry(namespace, { ...pace, held_since: null })]),
  ]
}

const named = ({ monitor_id, name, owner, conditions_version }: KnownMonitor) => ({
  monitor_id,
  monitor_name: name,
  owner,
  conditions_version,
})

const unused = (monitor_id: string): MatchedPaceRecord => ({ monitor_id, day: 0, sent: 0, held_since: null })
