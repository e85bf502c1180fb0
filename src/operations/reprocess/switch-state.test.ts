import { describe, expect, it } from 'vitest'
import { aChange, anArticle, folded, RULES } from '../../../test/builders/linked.ts'
import { append, codec, entriesIn, eventsIn, untilRead } from '../../../test/builders/plain-log.ts'
import { portsBeside } from '../../../test/builders/reprocess.ts'
import { aRunning } from '../../../test/builders/running.ts'
import { systemClock } from '../../adapters/clock.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { storiesLinked } from '../../events/graph.ts'
import { articlesClustered, type ArticleClustered } from '../../events/ledger.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { linkedMemory } from '../../stages/linked/changelog.ts'
import { linked } from '../../stages/linked/stage.ts'
import { reprocessStage, type ReprocessRequest } from './reprocess-stage.ts'
import { reprocessed } from './stages.ts'

const BUDGET = { budget: 100 }

const report = (story: string, hours: number, names = 'p1 p2 o3 g4') =>
  anArticle(story, `${story}${hours}`, { names, hours, subject: story })

const LEDGER = [
  ...[report('a', 0), report('b', 1), report('c', 2), report('d', 3, 'p1 p2 o3 l5')],
  ...[report('g', 3, 'p6 p7 o8'), report('h', 4, 'p6 p7 o8'), aChange('merged', ['a', 'b'], ['a0'], 5)],
]
const LATER = [report('e', 6), report('d', 7, 'p8 p9'), report('g', 8, 'p6 p7 o8')]

/** Runs a version of the stage to the end of the log. */
async function run(log: MemoryLog, rules?: typeof RULES): Promise<void> {
  const consumer = await runMemoryStage(linked(BUDGET, rules), { ...aRunning({ memoryLog: log }), codec })
  await untilRead(log, 'linked', [articlesClustered])
  await consumer.stop()
}

async function aLedger(events: readonly ArticleClustered[]): Promise<MemoryLog> {
  const log = new MemoryLog()
  await append(log, articlesClustered, events)
  return log
}

const graphIn = async (log: MemoryLog, topic = storiesLinked.name) =>
  folded(await eventsIn(log, { ...storiesLinked, name: topic }))

const stateIn = (log: MemoryLog) => entriesIn(log, linkedMemory)

const portsOn = (log: MemoryLog) => portsBeside(log, { linked: async () => BUDGET })

const request = (over: Partial<ReprocessRequest> = {}): ReprocessRequest => ({
  stage: reprocessed('linked'),
  version: '9',
  from: null,
  mode: 'switch',
  ...over,
})

describe('switching linked to a new version', { timeout: 60_000 }, () => {
  it('corrects the newest relationships and goes on as if the new version had always run', async () => {
    const log = await aLedger(LEDGER)
    await run(log, RULES)
    const before = await graphIn(log)
    const alone = await aLedger(LEDGER)
    await run(alone)
    expect(before).not.toEqual(await graphIn(alone))
    const live = await runMemoryStage(linked(BUDGET), { ...aRunning({ memoryLog: log, clock: systemClock }), codec })

    const switched = await reprocessStage(request(), portsOn(log))

    expect(switched.switched).toMatchObject({ attempts: 1 })
    expect(switched.switched?.events).toBeGreaterThan(0)
    expect(await graphIn(log)).toEqual(await graphIn(alone))
    expect(await stateIn(log)).toEqual(await stateIn(alone))
    await append(log, articlesClustered, LATER)
    await append(alone, articlesClustered, LATER)
    await untilRead(log, 'linked', [articlesClustered])
    await live.stop()
    await run(alone)
    expect(await graphIn(log)).toEqual(await graphIn(alone))
    expect(await stateIn(log)).toEqual(await stateIn(alone))
    const events = await eventsIn(log, storiesLinked)
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length)
  })

  it('finds nothing to do a second time', async () => {
    const log = await aLedger(LEDGER)
    await run(log, RULES)
    await reprocessStage(request(), portsOn(log))
    await log.forget('linked.next')

    const again = await reprocessStage(request({ version: '10' }), portsOn(log))

    expect(again.switched).toMatchObject({ events: 0, entries: 0 })
  })

  it('decides no input twice if the running stage is ahead of what the new version had read', async () => {
    const log = await aLedger(LEDGER)
    await run(log, RULES)
    const ports = portsOn(log)
    let isFirst = true
    const print = (text: string): void => {
      // the comparison begins: the running stage decides more
      if (isFirst && text.startsWith('comparing')) void append(log, articlesClustered, LATER)
      isFirst = false
    }
    const live = await runMemoryStage(linked(BUDGET), { ...aRunning({ memoryLog: log, clock: systemClock }), codec })

    await reprocessStage(request(), { ...ports, progress: { ...ports.progress, print } })

    await untilRead(log, 'linked', [articlesClustered])
    await live.stop()
    const alone = await aLedger([...LEDGER, ...LATER])
    await run(alone)
    expect(await graphIn(log)).toEqual(await graphIn(alone))
    expect(await stateIn(log)).toEqual(await stateIn(alone))
    const events = await eventsIn(log, storiesLinked)
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length)
  })
})
