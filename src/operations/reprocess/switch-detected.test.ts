import { expect, it } from 'vitest'
import { emittedOf, evenly } from '../../../test/builders/detected.ts'
import { append, codec, entriesIn, eventsIn, untilRead } from '../../../test/builders/plain-log.ts'
import { portsBeside } from '../../../test/builders/reprocess.ts'
import { aRunning } from '../../../test/builders/running.ts'
import { systemClock } from '../../adapters/clock.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { trendsDetected } from '../../events/trends.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { detectedMemory } from '../../stages/detected/changelog.ts'
import { detected } from '../../stages/detected/stage.ts'
import { reprocessStage } from './reprocess-stage.ts'
import { reprocessed } from './stages.ts'

const BUDGET = 1_000
/** A story grows fast with its fifth article within a day. */
const BURST = evenly('burst', { from: 100, until: 105, count: 5 }, () => ({ story: 'a', names: {} }))

const start = (log: MemoryLog, budget: number) =>
  runMemoryStage(detected({ budget }), { ...aRunning({ memoryLog: log, clock: systemClock }), codec })
const allRead = (log: MemoryLog) => untilRead(log, 'detected', [articlesClustered])

/** The first articles of the burst, decided by a version that keeps so many. */
async function aLog(budget: number): Promise<MemoryLog> {
  const log = new MemoryLog()
  await append(log, articlesClustered, BURST.slice(0, 4))
  const stage = await start(log, budget)
  await allRead(log)
  await stage.stop()
  return log
}

it('detected has the state of the new version after a switch beside the running stage, and detects with it', async () => {
  const log = await aLog(2)
  const alone = await aLog(BUDGET)
  expect(await entriesIn(log, detectedMemory)).not.toEqual(await entriesIn(alone, detectedMemory))
  const live = await start(log, BUDGET)

  const { switched } = await reprocessStage(
    { ...{ stage: reprocessed('detected'), version: '9', from: null, mode: 'switch' } },
    portsBeside(log, { detected: async () => ({ budget: BUDGET }) }),
  )

  expect(switched?.events).toBe(0)
  expect(await entriesIn(log, detectedMemory)).toEqual(await entriesIn(alone, detectedMemory))
  await append(log, articlesClustered, BURST.slice(4))
  await allRead(log)
  await live.stop()
  expect(emittedOf(await eventsIn(log, trendsDetected), 'trend.detected')).toEqual([['a', 104]])
})
