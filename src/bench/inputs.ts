import type { ArticleIngested, ArticleScored } from '../events/articles.ts'
import type { Wiring } from '../ports/wiring.ts'
import type { Input, Stage, StageOutcome } from '../runtime/shapes.ts'
import { inBatches } from '../quality/in-batches.ts'
import { scored } from '../stages/scored/stage.ts'
import { stageDependencies } from '../wiring/stages.ts'

/** Events in the form that the runtime passes to a stage. Only stages that consume several topics read `topic`. */
export const inputsOf = <Event>(events: readonly Event[], loggedAt = 1, topic = 'bench'): Input<Event>[] =>
  events.map((event, offset) => ({ event, topic, place: { topic, partition: 0, offset }, loggedAt }))

export const emitted = <Out>(outcomes: readonly StageOutcome<Out>[]): Out[] =>
  outcomes.flatMap((outcome) => (outcome.kind === 'emit' ? [...outcome.events] : []))

/** The number of inputs per call, as in the runtime. */
const PART = 64

export const runStage = <In, Out>(stage: Stage<In, Out>, inputs: readonly Input<In>[]): Promise<Out[]> =>
  inBatches(inputs, PART, async (part) => emitted(await stage.handle(part)))

/** Articles as Layer 0 emits them. */
export const scoredArticles = async (articles: readonly ArticleIngested[], wiring: Wiring): Promise<ArticleScored[]> =>
  runStage(scored(await stageDependencies(wiring).scored()), inputsOf(articles))
