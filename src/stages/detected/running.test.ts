import { expect, it } from 'vitest'
import { evenly } from '../../../test/builders/detected.ts'
import { append, codec, eventsIn, untilRead } from '../../../test/builders/plain-log.ts'
import { aRunning, type TestRunning } from '../../../test/builders/running.ts'
import { articlesClustered, type ArticleClustered } from '../../events/ledger.ts'
import { trendsDetected } from '../../events/trends.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { detected } from './stage.ts'

const stage = detected({ budget: 1_000 })
const WEEK = 168

const send = ({ log }: TestRunning, events: readonly ArticleClustered[]) => append(log, articlesClustered, events)
const emitted = ({ memoryLog }: TestRunning) => eventsIn(memoryLog, trendsDetected)
const allRead = ({ log }: TestRunning) => untilRead(log, 'detected', [articlesClustered])

it('knows after a restart what is usual, and what it has told', async () => {
  const given = { ...aRunning(), codec }
  const step = evenly('step', { from: WEEK, until: WEEK + 24, count: 100 })
  await send(given, evenly('steady', { from: 0, until: WEEK, count: 140 }))
  const first = await runMemoryStage(stage, given)
  await allRead(given)
  await first.stop()

  const second = await runMemoryStage(stage, given)
  await send(given, step.slice(0, 50))
  await allRead(given)
  expect(await emitted(given)).toMatchObject([{ type: 'entity.spike', subject_id: 'ent_ada', low_support: false }])
  await second.stop()

  const third = await runMemoryStage(stage, given)
  await send(given, step.slice(50))
  await allRead(given)
  await third.stop()

  expect(await emitted(given)).toHaveLength(1)
})
