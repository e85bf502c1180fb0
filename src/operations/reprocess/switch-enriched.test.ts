import { expect, it } from 'vitest'
import { aPost, aStoryArticle } from '../../../test/builders/discourse.ts'
import { aTick, cueStance, seen, testReader } from '../../../test/builders/enriched.ts'
import { append, codec, entriesIn, eventsIn, untilRead } from '../../../test/builders/plain-log.ts'
import { portsBeside } from '../../../test/builders/reprocess.ts'
import { aRunning } from '../../../test/builders/running.ts'
import { systemClock } from '../../adapters/clock.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { discoursePosts, storiesEnriched } from '../../events/discourse.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { clockTicked } from '../../events/settings.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { enrichedMemory } from '../../stages/enriched/changelog.ts'
import { enriched, type EnrichedDependencies } from '../../stages/enriched/stage.ts'
import { reprocessStage } from './reprocess-stage.ts'
import { reprocessed } from './stages.ts'

const NOON = Date.UTC(2016, 4, 3, 12)
const needs = { read: testReader, stance: cueStance, budget: 100, textMs: 7 * 86_400_000 }
/** Finds neither sentiment nor entities. */
const older: EnrichedDependencies = {
  ...needs,
  read: async (texts) => (await testReader(texts)).map((one) => ({ ...one, sentiment_score: 0, entities: [] })),
}

const named = (post_id: string, text: string, cluster_id: string | null = 'sto_bridge') =>
  aPost({ post_id, text, cluster_id, created_at: NOON + Number(post_id) })

async function publish(log: MemoryLog): Promise<void> {
  await append(log, articlesClustered, [aStoryArticle()])
  await append(log, discoursePosts, [
    named('1', 'A great bridge, says Tom Reed.'),
    named('2', 'This is awful.'),
    named('3', 'An awful day for Ada Quill.', 'sto_other'),
  ])
  await append(log, clockTicked, [aTick(NOON + 10)])
}

async function run(log: MemoryLog, stage = enriched(needs)): Promise<void> {
  const consumer = await runMemoryStage(stage, { ...aRunning({ memoryLog: log }), codec })
  await untilRead(log, 'enriched', stage.reads)
  await consumer.stop()
}

const stateIn = (log: MemoryLog) => entriesIn(log, enrichedMemory)

const received = async (log: MemoryLog) =>
  seen(await eventsIn(log, storiesEnriched)).map((one) => ({ ...one, produced_by: null }))

it('enriched has the state and the newest receptions of the new version after a switch', async () => {
  const log = new MemoryLog({ now: () => NOON + 86_400_000 })
  await publish(log)
  await run(log, enriched(older))
  const alone = new MemoryLog({ now: () => NOON + 86_400_000 })
  await publish(alone)
  await run(alone)
  expect(await received(log)).not.toEqual(await received(alone))
  const live = await runMemoryStage(enriched(older), { ...aRunning({ memoryLog: log, clock: systemClock }), codec })

  const { switched } = await reprocessStage(
    { stage: reprocessed('enriched'), version: '9', from: null, mode: 'switch' },
    portsBeside(log, { enriched: async () => needs }),
  )
  await live.stop()

  expect(switched?.events).toBeGreaterThan(0)
  expect(await received(log)).toEqual(await received(alone))
  expect(await stateIn(log)).toEqual(await stateIn(alone))
})
