import { derivedId } from '../../events/ids.ts'
import { storiesTransitioned, type StoryTransitioned } from '../../events/lifecycle.ts'
import type { BrokerClock } from '../../state/settings/broker-clock.ts'
import { evaluated, type Evaluated } from '../../views/stories/evaluated-stories.ts'
import { transitionInView } from '../../views/stories/queries.ts'
import { append } from '../http/append.ts'
import { EngineUnavailable } from '../http/engine-deadline.ts'
import type { Dependencies } from '../http/dependencies.ts'

const BY = { stage: 'api', version: '1' } as const

const POLL_MS = 50
/** Longer than a running view needs, shorter than a client waits. */
const TIMEOUT_MS = 3_000

export type AnalysedState = Pick<Evaluated, 'state' | 'previous' | 'reason'>

interface AnalysisTarget {
  readonly namespace: string
  readonly cluster_id: string
  /** Milliseconds since 1970. */
  readonly at: number
}

interface AnalyzePorts extends Pick<Dependencies, 'store' | 'log' | 'codec' | 'clock' | 'lifecycle'> {
  readonly brokerClock: BrokerClock
}

/**
 * Evaluates a story's state at a time and persists it if it differs from the previous state. When this resolves, the
 * log has stored the state, and it is readable unless the view is behind. `null` if the story has no article at that
 * time. Throws `ClockApart` instead of persisting a state that was evaluated with a wrong clock.
 */
export async function analysed(target: AnalysisTarget, ports: AnalyzePorts): Promise<AnalysedState | null> {
  const { namespace, cluster_id, at } = target
  const evaluation = { namespace, ids: [cluster_id], as_of: at, numbers: ports.lifecycle }
  const story = (await evaluated(ports.store, evaluation)).get(cluster_id)
  if (story === undefined) return null

  if (story.state !== story.previous) await persist(transition(target, story), ports)
  return story
}

const transition = (
  { namespace, cluster_id, at }: AnalysisTarget,
  { state, previous, reason }: Evaluated,
): StoryTransitioned => ({
  event_id: derivedId(BY, [namespace, cluster_id, at, state].join('\n')),
  namespace,
  occurred_at: at,
  caused_by: null,
  produced_by: BY,
  cluster_id,
  lifecycle_state: state,
  previous_state: previous,
  rule: reason.rule,
  facts: reason.values,
  evaluated_at: at,
})

async function persist(event: StoryTransitioned, ports: AnalyzePorts): Promise<void> {
  const { store, clock, brokerClock } = ports
  await brokerClock.check({ topic: storiesTransitioned.name, key: event.namespace })
  await append(storiesTransitioned, [event], ports)

  const until = clock.now() + TIMEOUT_MS
  while (clock.now() < until && !(await isInView(event, store))) await clock.sleep(POLL_MS)
}

/** Whether the view has the event. The event is already persisted, so an unavailable store is not an error. */
async function isInView(
  { namespace, cluster_id, event_id }: StoryTransitioned,
  store: AnalyzePorts['store'],
): Promise<boolean> {
  try {
    return (await transitionInView(store)({ namespace, cluster_id, event_id })).length > 0
  } catch (cause) {
    if (cause instanceof EngineUnavailable) return false
    throw cause
  }
}
