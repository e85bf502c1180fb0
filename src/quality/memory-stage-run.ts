import type { Input, MemoryStage } from '../runtime/shapes.ts'

/**
 * Runs a stage with state, starting from its empty state. Each call decides one input, applies its state updates and
 * returns the emitted events.
 */
export function memoryStageRun<State, In, Out, Remembered, Row>(
  stage: Pick<MemoryStage<State, In, Out, Remembered, Row>, 'decide' | 'memory'>,
): (input: Input<In>) => readonly Out[] {
  let state = stage.memory.empty()
  return (input) => {
    const decided = stage.decide(state, input)
    for (const entry of decided.remember) state = stage.memory.evolve(state, entry)
    const outcome = decided.kind === 'deferred' ? decided.outcome(state) : decided
    return outcome.kind === 'emit' ? outcome.events : []
  }
}
