import { expect, it } from 'vitest'
import { articlesClustered, type ArticleClustered } from '../events/ledger.ts'
import type { MemoryStage } from '../runtime/shapes.ts'
import { aStoryArticle } from '../../test/builders/discourse.ts'
import { cueStance } from '../../test/builders/enriched.ts'
import { changed } from './changed/stage.ts'
import { detected } from './detected/stage.ts'
import { enriched } from './enriched/stage.ts'
import { matched } from './matched/stage.ts'
import { linked } from './linked/stage.ts'
import { transitioned } from './transitioned/stage.ts'
import { LIFECYCLE } from '../domain/lifecycle/lifecycle.ts'

const kept = aStoryArticle({
  action: 'revised',
  decision: { rule: 'kept', chosen: null, runner_up: null, threshold: 0, versions: {} },
})
const place = { topic: articlesClustered.name, partition: 0, offset: 7 }

/** The outcome of a revision of an article that the stage does not know, and the number of its state updates. */
function outcomeOf<State, Out, Remembered>(
  stage: Pick<MemoryStage<State, ArticleClustered, Out, Remembered>, 'decide' | 'memory'>,
): readonly [string, number] {
  const input = { event: kept, topic: articlesClustered.name, place, loggedAt: kept.occurred_at }
  const state = stage.memory.empty()
  const decided = stage.decide(state, input)
  const outcome = decided.kind === 'deferred' ? decided.outcome(state) : decided
  return [outcome.kind, decided.remember.length]
}

it.each([
  ['changed', () => outcomeOf(changed({ budget: 100 }))],
  ['detected', () => outcomeOf(detected({ budget: 100 }))],
  ['enriched', () => outcomeOf(enriched({ read: async () => [], stance: cueStance, budget: 100, textMs: 1 }))],
  ['linked', () => outcomeOf(linked({ budget: 100 }))],
  ['transitioned', () => outcomeOf(transitioned({ numbers: LIFECYCLE, budget: 100 }))],
  ['matched', () => outcomeOf(matched({ budget: 100 }))],
])('%s knows no more of an evicted story after a revision of one of its articles', (_, outcome) => {
  expect(outcome()).toEqual(['skip', 0])
})
