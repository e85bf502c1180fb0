import { DAY_MS } from '../../domain/days.ts'
import { expect, it } from 'vitest'
import { aPost } from '../../../test/builders/discourse.ts'
import { aTick, cueStance, testReader } from '../../../test/builders/enriched.ts'
import { append, codec, eventsIn, untilRead } from '../../../test/builders/plain-log.ts'
import { aRunning } from '../../../test/builders/running.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { discoursePosts } from '../../events/discourse.ts'
import { clockTicked } from '../../events/settings.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { enrichedMemory } from './changelog.ts'
import { enriched } from './stage.ts'

const NOON = Date.UTC(2026, 10, 23, 12)
const stage = enriched({ read: testReader, stance: cueStance, budget: 100, textMs: 7 * DAY_MS })

it('a tick a year ahead blanks no text, and one of the right time does once it is old', async () => {
  let now = NOON
  const running = { ...aRunning({ memoryLog: new MemoryLog({ now: () => now }) }), codec }
  const texts = async () => (await eventsIn(running.memoryLog, enrichedMemory)).flatMap(({ post }) => post?.text ?? [])
  await append(running.log, discoursePosts, [aPost({ text: 'the bridge is closed', created_at: NOON - 1000 })])
  now += DAY_MS
  await append(running.log, clockTicked, [aTick(NOON + 365 * DAY_MS)])
  const consumer = await runMemoryStage(stage, running)
  await untilRead(running.log, 'enriched', stage.reads)
  expect(await texts()).toEqual(['the bridge is closed'])

  now = NOON + 7 * DAY_MS
  await append(running.log, clockTicked, [aTick(now)])
  await untilRead(running.log, 'enriched', stage.reads)

  expect(await texts()).toEqual(['the bridge is closed', ''])
  await consumer.stop()
})
