import type { Input, StageOutcome } from '../runtime/shapes.ts'

/** Events as the runtime would hand them to a stage. */
export const inputsOf = <Event>(events: readonly Event[], loggedAt = 1): Input<Event>[] =>
  events.map((event, offset) => {
    const place = { topic: 'bench', partition: 0, offset }
    return { event, topic: place.topic, place, loggedAt }
  })

export const emitted = <Out>(outcomes: readonly StageOutcome<Out>[]): Out[] =>
  outcomes.flatMap((outcome) => (outcome.kind === 'emit' ? [...outcome.events] : []))
