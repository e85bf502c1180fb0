import { expect, it } from 'vitest'
import { aReport, at, matchesOf } from '../../../test/builders/matched.ts'
import { aMonitor } from '../../../test/builders/monitors.ts'
import { append, codec, eventsIn, untilRead } from '../../../test/builders/plain-log.ts'
import { portsBeside } from '../../../test/builders/reprocess.ts'
import { aRunning } from '../../../test/builders/running.ts'
import { systemClock } from '../../adapters/clock.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { articlesAnalyzed } from '../../events/articles.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { monitorsChanged, storiesMatched } from '../../events/monitors.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import type { Input } from '../../runtime/shapes.ts'
import { matched, type MatchedStage } from '../../stages/matched/stage.ts'
import { reprocessStage } from './reprocess-stage.ts'
import { reprocessed } from './stages.ts'

const INPUTS = [monitorsChanged, articlesAnalyzed, articlesClustered]

/** A version that reads no titles of a story, so that fewer articles match. */
function titleless(): MatchedStage {
  const stage = matched({ budget: 100 })
  return {
    ...stage,
    decide: (state, input, found) => stage.decide(state, 'text' in input.event ? untitled(input) : input, found),
  }
}

const untitled = <Event>(input: Input<Event>): Input<Event> => ({ ...input, event: { ...input.event, title: null } })

async function publish(log: MemoryLog, [story, id]: readonly [string, string], hours: number, title: string) {
  const [text, placed] = aReport([story, id], hours, { title })
  await append(log, articlesAnalyzed, [text])
  await untilAll(log)
  await append(log, articlesClustered, [placed])
  await untilAll(log)
}

const untilAll = (log: MemoryLog) => untilRead(log, 'matched', INPUTS)

const matchesIn = async (log: MemoryLog) => matchesOf(await eventsIn(log, storiesMatched))

it('matched finds what the new version finds from a switch on, and sends nothing again', async () => {
  const log = new MemoryLog({ now: () => at(1) })
  const running = { ...aRunning({ memoryLog: log, clock: systemClock }), codec }
  await append(log, monitorsChanged, [aMonitor({ monitor_id: 'mon_a', conditions: { query: 'rain' } })])
  const before = await runMemoryStage(titleless(), running)
  await publish(log, ['s', '1'], 1, 'Rain in the north')
  await publish(log, ['t', '2'], 1, 'Snow in the south')
  await before.stop()
  expect(await matchesIn(log)).toEqual([])

  const { switched } = await reprocessStage(
    { ...{ stage: reprocessed('matched'), version: '9', from: null, mode: 'switch' } },
    portsBeside(log, { matched: async () => ({ budget: 100 }) }),
  )

  expect(switched?.events).toBe(0)
  expect(switched?.entries).toBeGreaterThan(0)
  const live = await runMemoryStage(matched({ budget: 100 }), running)
  await publish(log, ['s', '3'], 1, 'More rain')
  await publish(log, ['t', '4'], 1, 'More rain in the south')
  await live.stop()
  expect(await matchesIn(log)).toEqual([['matched', 'a', 't', true]])
})
