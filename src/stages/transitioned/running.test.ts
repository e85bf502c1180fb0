import { expect, it, vi } from 'vitest'
import { append, codec, eventsIn, untilRead } from '../../../test/builders/plain-log.ts'
import { aRunning, type TestRunning } from '../../../test/builders/running.ts'
import { soon } from '../../../test/builders/soon.ts'
import { aChange, anArticle, aReception, at, aTick, moves } from '../../../test/builders/transitioned.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { storiesEnriched } from '../../events/discourse.ts'
import { storiesTransitioned } from '../../events/lifecycle.ts'
import { LIFECYCLE } from '../../events/lifecycle-rules.ts'
import { clockTicked } from '../../events/settings.ts'
import type { Topic } from '../../events/topic.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { transitioned } from './stage.ts'

const stage = transitioned({ numbers: LIFECYCLE, budget: 100 })

/** The log takes each record a minute after the one before it, from `hours` after noon on. */
function running(hours: number): TestRunning {
  let minutes = hours * 60
  return { ...aRunning({ memoryLog: new MemoryLog({ now: () => at(minutes++ / 60) }) }), codec }
}

const send = async <Event>({ log }: TestRunning, topic: Topic<Event>, events: readonly Event[]) =>
  await append(log, topic, events)
const told = async ({ memoryLog }: TestRunning) => await eventsIn(memoryLog, storiesTransitioned)

const untilTold = async (of: TestRunning, wanted: readonly unknown[]) => {
  await vi.waitFor(async () => {
    expect(moves(await told(of))).toEqual(wanted)
  }, soon)
}

it('reads its own word back without end or echo, and knows after a restart what was persisted meanwhile', async () => {
  const given = running(70)
  await send(given, articlesClustered, [anArticle('a', '1', 0), anArticle('a', '2', 0), anArticle('b', '3', 1)])
  const first = await runMemoryStage(stage, given)

  await send(given, clockTicked, [aTick(30)])
  await untilTold(given, [
    ['a', 'mature', 30],
    ['b', 'mature', 30],
  ])
  await first.stop()

  const [word] = await told(given)
  if (word === undefined) throw new Error('nothing was told')
  await send(given, storiesTransitioned, [
    { ...word, event_id: 'evt_api', lifecycle_state: 'concluded', evaluated_at: at(80), occurred_at: at(80) },
  ])
  await send(given, articlesClustered, [aChange('merged', ['b', 'a'], ['3'])])
  await send(given, storiesEnriched, [aReception('a', 79)])
  const second = await runMemoryStage(stage, given)
  await send(given, clockTicked, [aTick(100), aTick(101)])

  const all = [
    ['a', 'mature', 30],
    ['b', 'mature', 30],
    ['a', 'concluded', 80],
    ['a', 'contested', 100],
  ]
  await untilTold(given, all)
  await untilRead(given.log, 'transitioned', stage.reads)
  await second.stop()
  expect(moves(await told(given))).toEqual(all)
  expect((await told(given)).at(-1)).toMatchObject({ previous_state: 'concluded', rule: 'contested' })
})
