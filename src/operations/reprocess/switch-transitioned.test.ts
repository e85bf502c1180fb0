import { expect, it } from 'vitest'
import { aTick, anArticle, at } from '../../../test/builders/transitioned.ts'
import { append, codec, entriesIn, eventsIn, untilRead } from '../../../test/builders/plain-log.ts'
import { portsBeside } from '../../../test/builders/reprocess.ts'
import { aRunning } from '../../../test/builders/running.ts'
import { systemClock } from '../../adapters/clock.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { LIFECYCLE, type LifecycleNumbers } from '../../domain/lifecycle/lifecycle.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { storiesTransitioned, type StoryTransitioned } from '../../events/lifecycle.ts'
import { clockTicked } from '../../events/settings.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { transitionedMemory } from '../../stages/transitioned/changelog.ts'
import { transitioned } from '../../stages/transitioned/stage.ts'
import { reprocessStage, type ReprocessRequest } from './reprocess-stage.ts'
import { reprocessed } from './stages.ts'

const HOUR_MS = 3_600_000
const BUDGET = 100
/** A version for which a story develops for three days. */
const SLOW: LifecycleNumbers = {
  ...LIFECYCLE,
  developing: { ...LIFECYCLE.developing, youngMs: 72 * HOUR_MS, windowMs: 72 * HOUR_MS },
}
const HOUR = 41

const aStage = (numbers: LifecycleNumbers) => transitioned({ numbers, budget: BUDGET })

async function aLog(): Promise<MemoryLog> {
  const log = new MemoryLog({ now: () => at(HOUR) })
  await append(log, articlesClustered, [anArticle('a', '1', 0), anArticle('b', '2', 0), anArticle('c', '3', 39)])
  await append(log, clockTicked, [aTick(30), aTick(40)])
  return log
}

async function run(log: MemoryLog, numbers: LifecycleNumbers): Promise<void> {
  const stage = aStage(numbers)
  const consumer = await runMemoryStage(stage, { ...aRunning({ memoryLog: log }), codec })
  await untilRead(log, 'transitioned', [articlesClustered, clockTicked, storiesTransitioned])
  await consumer.stop()
}

/** What a caller of the API requested. */
const requested = (story: string, hours: number): StoryTransitioned => ({
  ...{ event_id: `evt_api_${story}`, namespace: 'shared', occurred_at: at(hours), caused_by: null },
  ...{ produced_by: { stage: 'api', version: '1' }, cluster_id: `sto_${story}`, lifecycle_state: 'concluded' },
  ...{ previous_state: 'developing', rule: 'concluded', facts: {}, evaluated_at: at(hours) },
})

/** The newest state of each story, by the time of its evaluation. */
async function statesIn(log: MemoryLog): Promise<Record<string, string>> {
  const events = [...(await eventsIn(log, storiesTransitioned))].sort((a, b) => a.evaluated_at - b.evaluated_at)
  return Object.fromEntries(events.map(({ cluster_id, lifecycle_state }) => [cluster_id, lifecycle_state]))
}

const memoryIn = (log: MemoryLog) => entriesIn(log, transitionedMemory)

const portsOn = (log: MemoryLog) =>
  portsBeside(log, { transitioned: async () => ({ numbers: LIFECYCLE, budget: BUDGET }) })

const request: ReprocessRequest = {
  ...{ stage: reprocessed('transitioned'), version: '9', from: null, mode: 'switch' },
}

it('transitioned has the state of the new version after a switch, and publishes the states that differ', async () => {
  const log = await aLog()
  await run(log, SLOW)
  const alone = await aLog()
  await run(alone, LIFECYCLE)
  expect(await statesIn(log)).toEqual({ sto_a: 'developing', sto_b: 'developing', sto_c: 'developing' })
  expect(await statesIn(alone)).toEqual({ sto_a: 'mature', sto_b: 'mature', sto_c: 'developing' })
  const live = await runMemoryStage(aStage(LIFECYCLE), { ...aRunning({ memoryLog: log, clock: systemClock }), codec })

  const { switched } = await reprocessStage(request, portsOn(log))

  expect(switched?.events).toBe(2)
  expect(await statesIn(log)).toEqual(await statesIn(alone))
  expect(await memoryIn(log)).toEqual(await memoryIn(alone))
  const corrected = (await eventsIn(log, storiesTransitioned)).find(({ produced_by }) => produced_by.version === '9')
  expect(corrected).toMatchObject({ previous_state: 'developing', lifecycle_state: 'mature', evaluated_at: at(40) })

  await append(log, clockTicked, [aTick(40.5)])
  await untilRead(log, 'transitioned', [clockTicked, storiesTransitioned])
  await live.stop()
  expect((await eventsIn(log, storiesTransitioned)).filter(({ evaluated_at }) => evaluated_at > at(40))).toEqual([])
})

it('a state that a caller requested since stays', async () => {
  const log = await aLog()
  await append(log, storiesTransitioned, [requested('a', 40.5)])
  await run(log, SLOW)

  await reprocessStage(request, portsOn(log))

  expect(await statesIn(log)).toEqual({ sto_a: 'concluded', sto_b: 'mature', sto_c: 'developing' })
})

it('a state that a caller requested counts for the new version, whatever the old one made of it', async () => {
  const log = new MemoryLog({ now: () => at(HOUR) })
  await append(log, articlesClustered, [anArticle('a', '1', 0)])
  await append(log, clockTicked, [aTick(1)])
  await run(log, SLOW)
  await append(log, storiesTransitioned, [{ ...requested('a', 2), lifecycle_state: 'mature' }])
  await run(log, SLOW)
  await append(log, clockTicked, [aTick(30)])
  await run(log, SLOW)
  expect(await statesIn(log)).toEqual({ sto_a: 'developing' })

  await reprocessStage(request, portsOn(log))

  expect(await statesIn(log)).toEqual({ sto_a: 'mature' })
})
