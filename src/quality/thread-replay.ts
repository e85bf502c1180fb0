import type { StoryLinked } from '../events/graph.ts'
import { articlesClustered, type ArticleClustered } from '../events/ledger.ts'
import type { MemoryStage } from '../runtime/shapes.ts'

export type ThreadStage<State, Remembered> = MemoryStage<State, ArticleClustered, StoryLinked, Remembered>

/** Runs the stage that links stories over a whole ledger; the thread of each story that is in one at the end. */
export function threadsOf<State, Remembered>(
  stage: ThreadStage<State, Remembered>,
  { ledger, arrival }: { readonly ledger: readonly ArticleClustered[]; readonly arrival: number },
): ReadonlyMap<string, string> {
  let state = stage.memory.empty()
  const threads = new Map<string, string>()
  for (const [offset, event] of ledger.entries()) {
    const topic = articlesClustered.name
    const decided = stage.decide(state, { event, topic, place: { topic, partition: 0, offset }, loggedAt: arrival })
    for (const entry of decided.remember) state = stage.memory.evolve(state, entry)
    const outcome = decided.kind === 'deferred' ? decided.outcome(state) : decided
    if (outcome.kind === 'emit')
      outcome.events.forEach((word) => {
        place(threads, word)
      })
  }
  return threads
}

function place(threads: Map<string, string>, { kind, action, source, thread_id }: StoryLinked): void {
  if (kind !== 'thread' || thread_id === null) return
  if (action === 'removed') threads.delete(source)
  else threads.set(source, thread_id)
}
