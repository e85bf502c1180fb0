import { checkDeliveries, checkFeed, checkLedger, checkLetters, checkOffsets, checkEmittedOnce } from './check-log.ts'
import { checkMemories } from './check-memory.ts'
import { checkStages } from './check-stages.ts'
import { checkViews } from './check-views.ts'
import { lettersOf } from './dead-letters.ts'
import type { Simulation } from './simulation.ts'

/** Holds what is durable against what was promised; reads nothing but the log and the rows. */
export async function check(world: Simulation): Promise<void> {
  const letters = lettersOf(world)
  checkOffsets(world)
  await checkStages(world, letters)
  await checkEmittedOnce(world)
  checkLetters(world, letters)
  await checkMemories(world, letters)
  await checkLedger(world)
  await checkFeed(world)
  await checkDeliveries(world)
  await checkViews(world)
}
