import type { ArticleIngested, ArticleScored } from '../events/articles.ts'
import type { Wiring } from '../ports/wiring.ts'
import type { Input, Stage, StageOutcome } from '../runtime/shapes.ts'
import { inBatches } from '../quality/in-batches.ts'
import { scored } from '../stages/scored/stage.ts'
import { stageDependencies } from '../wiring/stages.ts'

/** Events as the runtime would hand them to a stage. Only a stage that reads several topics looks at `topic`. */
export const inputsOf = <Event>(events: readonly Event[], loggedAt = 1, topic = 'bench'): Input<Event>[] =>
  events.map((event, offset) => ({ event, topic, place: { topic, partition: 0, offset }, loggedAt }))

export const emitted = <Out>(outcomes: readonly StageOutcome<Out>[]): Out[] =>
  outcomes.flatMap((outcome) => (outcome.kind === 'emit' ? [...outcome.events] : []))

/** One part of the work at a time, as the runtime hands it out. */
const PART = 64

export const runStage = <In, Out>(stage: Stage<In, Out>, inputs: readonly Input<In>[]): Promise<Out[]> =>
  inBatches(inputs, PART, async (part) => emitted(await stage.handle(part)))

/** Articles as Layer 0 hands them on. */
export const scoredArticles = async (articles: readonly ArticleIngested[], wiring: Wiring): Promise<ArticleScored[]> =>
  runStage(scored(await stageDependencies(wiring).scored()), inputsOf(articles))
