import type { Topic } from '../events/topic.ts'
import type { Input } from './shapes.ts'
import { allSteps, type Steps } from '../state/steps.ts'

/** What a stage with memory does with the events of one topic. */
export interface TopicHandler<State, Result> {
  readonly reads: Topic<unknown>
  decide(state: State, input: Input<unknown>): Result
  deliberate?(state: State, input: Input<unknown>): Steps<Result>
}

export const onTopic = <State, Event, Result>(
  reads: Topic<Event>,
  decide: (state: State, input: Input<Event>) => Result,
): TopicHandler<State, Result> => ({ reads, decide })

/** For events whose decision may take seconds: see `MemoryStage.deliberate`. */
export const inSteps = <State, Event, Result>(
  reads: Topic<Event>,
  deliberate: (state: State, input: Input<Event>) => Steps<Result>,
): TopicHandler<State, Result> => ({
  reads,
  decide: (state: State, input: Input<Event>) => allSteps(deliberate(state, input)),
  deliberate,
})

/** The part of a stage that reads several topics: it reads those it has a handler for, so that none can be forgotten. */
export function byTopic<State, Result>(handlers: readonly TopicHandler<State, Result>[]) {
  const handlerOf = ({ topic }: Input<unknown>): TopicHandler<State, Result> => {
    const handler = handlers.find(({ reads }) => reads.name === topic)
    if (handler === undefined) throw new Error(`No handler for the topic ${topic}`)
    return handler
  }
  return {
    reads: handlers.map(({ reads }) => reads),
    decide: (state: State, input: Input<unknown>): Result => handlerOf(input).decide(state, input),
    deliberate: (state: State, input: Input<unknown>): Steps<Result> | null =>
      handlerOf(input).deliberate?.(state, input) ?? null,
  }
}
