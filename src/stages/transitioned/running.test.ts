import { expect, it, vi } from 'vitest'
import { append, codec, eventsIn, untilRead } from '../../../test/builders/plain-log.ts'
import { aRunning, type TestRunning } from '../../../test/builders/running.ts'
import { soon } from '../../../test/builders/soon.ts'
import { aChange, anArticle, aReception, at, aTick, moves } from '../../../test/builders/transitioned.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { storiesEnriched } from '../../events/discourse.ts'
import { storiesTransitioned } from '../../events/lifecycle.ts'
import { LIFECYCLE } from '../../domain/lifecycle/lifecycle.ts'
import { clockTicked } from '../../events/settings.ts'
import type { Topic } from '../../events/topic.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { transitionedMemory, type TransitionedRecord } from './changelog.ts'
import { transitioned } from './stage.ts'

const stage = transitioned({ numbers: LIFECYCLE, budget: 100 })

/** Each record is logged one minute after the previous one, starting `hours` after noon. */
function running(hours: number): TestRunning {
  let minutes = hours * 60
  return { ...aRunning({ memoryLog: new MemoryLog({ now: () => at(minutes++ / 60) }) }), codec }
}

const BY_THE_API = { event_id: 'evt_api', produced_by: { stage: 'api', version: '1' } }

const send = <Event>({ log }: TestRunning, topic: Topic<Event>, events: readonly Event[]) => append(log, topic, events)
const emitted = ({ memoryLog }: TestRunning) => eventsIn(memoryLog, storiesTransitioned)

const untilEmitted = async (of: TestRunning, expected: readonly unknown[]) => {
  await vi.waitFor(async () => {
    expect(moves(await emitted(of))).toEqual(expected)
  }, soon)
}

it('reads its own word back without end or echo, and knows after a restart what was persisted meanwhile', async () => {
  const given = running(102)
  await send(given, articlesClustered, [anArticle('a', '1', 0), anArticle('a', '2', 0), anArticle('b', '3', 1)])
  const first = await runMemoryStage(stage, given)

  await send(given, clockTicked, [aTick(30)])
  await untilEmitted(given, [
    ['a', 'mature', 30],
    ['b', 'mature', 30],
  ])
  await first.stop()

  const [word] = await emitted(given)
  if (word === undefined) throw new Error('nothing was told')
  await send(given, storiesTransitioned, [
    { ...word, ...BY_THE_API, lifecycle_state: 'concluded', evaluated_at: at(80), occurred_at: at(80) },
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
  await untilEmitted(given, all)
  await untilRead(given.log, 'transitioned', stage.reads)
  await second.stop()
  expect(moves(await emitted(given))).toEqual(all)
  expect((await emitted(given)).at(-1)).toMatchObject({ previous_state: 'concluded', rule: 'contested' })
})

const YEAR_H = 365 * 24

/** States and their evaluation times, with ticks at some hours. `wrong`: hour to the time that its tick reports. */
async function ticked(wrong: ReadonlyMap<number, number>) {
  let hour = 0
  const given = { ...aRunning({ memoryLog: new MemoryLog({ now: () => at(hour) }) }), codec }
  await send(given, articlesClustered, [anArticle('a', '1', 0)])
  const consumer = await runMemoryStage(stage, given)
  for (const now of [1, 2, 25, 30, 73, 80]) {
    hour = now
    await send(given, clockTicked, [aTick(wrong.get(hour) ?? hour)])
    await untilRead(given.log, 'transitioned', [clockTicked])
  }
  await consumer.stop()
  return moves(await emitted(given))
}

it("a tick a year ahead changes no story's lifecycle", async () => {
  const right = await ticked(new Map())

  const withWrongClocks = await ticked(
    new Map([
      [2, YEAR_H],
      [30, YEAR_H],
    ]),
  )

  expect(right.map(([, state]) => state)).toEqual(['developing', 'mature', 'concluded'])
  expect(withWrongClocks).toEqual(right)
})

it('a story that a wrong clock had frozen moves again with the next tick and the next article', async () => {
  let hour = 2
  const given = { ...aRunning({ memoryLog: new MemoryLog({ now: () => at(hour) }) }), codec }
  const blank = { cluster_id: 'sto_a', receptions: {}, departed: null }
  const article = {
    ...{ cluster_id: 'sto_a', article_id: 'art_1', log_order: 0, occurred_at: at(0) },
    ...{ syndication_group: 'syn_1', publisher_family: null, derived_from: null },
  }
  const frozen: readonly TransitionedRecord[] = [
    { namespace: 'shared', article, story: null },
    { namespace: 'shared', article: null, story: { ...blank, lifecycle_state: 'concluded', evaluated_at: at(YEAR_H) } },
  ]
  await send(given, transitionedMemory, frozen)

  hour = 3
  await send(given, clockTicked, [aTick(3)])
  const consumer = await runMemoryStage(stage, given)
  await untilEmitted(given, [['a', 'developing', 3]])
  hour = 30
  await send(given, clockTicked, [aTick(30)])
  hour = 31
  await send(given, articlesClustered, [anArticle('a', '2', 31)])
  await send(given, clockTicked, [aTick(31)])

  await untilEmitted(given, [
    ['a', 'developing', 3],
    ['a', 'mature', 30],
    ['a', 'developing', 31],
  ])
  await consumer.stop()
  const [first] = await emitted(given)
  expect(first?.previous_state).toBe('concluded')
})

it('what the API evaluated with a clock a year ahead holds from when the log took it, and the next tick goes on', async () => {
  let hour = 1
  const given = { ...aRunning({ memoryLog: new MemoryLog({ now: () => at(hour) }) }), codec }
  await send(given, articlesClustered, [anArticle('a', '1', 0)])
  await send(given, clockTicked, [aTick(1)])
  const consumer = await runMemoryStage(stage, given)
  await untilEmitted(given, [['a', 'developing', 1]])
  const [first] = await emitted(given)
  if (first === undefined) throw new Error('nothing was told')

  hour = 2
  const ahead = { evaluated_at: at(YEAR_H), occurred_at: at(YEAR_H) }
  await send(given, storiesTransitioned, [{ ...first, ...BY_THE_API, lifecycle_state: 'concluded', ...ahead }])
  hour = 3
  await send(given, clockTicked, [aTick(3)])

  await untilEmitted(given, [
    ['a', 'developing', 1],
    ['a', 'concluded', YEAR_H],
    ['a', 'developing', 3],
  ])
  await consumer.stop()
})
