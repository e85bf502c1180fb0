import { expect, it } from 'vitest'
import { aChange, anArticle, folded, graphOf, RULES } from '../../../test/builders/linked.ts'
import { append, codec, eventsIn, untilRead } from '../../../test/builders/plain-log.ts'
import { aRunning, type TestRunning } from '../../../test/builders/running.ts'
import { storiesLinked } from '../../events/graph.ts'
import { articlesClustered, type ArticleClustered } from '../../events/ledger.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { linkedMemory } from './changelog.ts'
import { linked } from './stage.ts'

const stage = linked({ budget: 100 }, RULES)

const send = ({ log }: TestRunning, events: readonly ArticleClustered[]) => append(log, articlesClustered, events)
const emitted = ({ memoryLog }: TestRunning) => eventsIn(memoryLog, storiesLinked)
const allRead = ({ log }: TestRunning) => untilRead(log, 'linked', [articlesClustered])

const report = (story: string, hours: number, names = 'p1 p2 o3 g4') =>
  anArticle(story, `${story}${hours}`, { names, hours, subject: story })

it('tells after a restart only what became different, and names everything as before', async () => {
  const given = { ...aRunning(), codec }
  const before = [report('a', 0), report('b', 1), report('c', 2), report('d', 3, 'p1 p2 o3 l5')]
  const after = [
    ...[aChange('split', ['c', 'e'], ['c2'], 4), aChange('merged', ['a', 'b'], ['a0'], 5)],
    ...[report('f', 6), report('d', 3, 'p1 p2 o3 l5'), report('f', 7, 'p8 p9')],
  ]
  await send(given, before)
  const first = await runMemoryStage(stage, given)
  await allRead(given)
  await first.stop()
  const untilNow = await emitted(given)
  expect(folded(untilNow)).toEqual(graphOf(before))

  await send(given, after)
  const second = await runMemoryStage(stage, given)
  await allRead(given)
  await second.stop()

  const all = await emitted(given)
  expect(all.slice(0, untilNow.length)).toEqual(untilNow)
  expect(folded(all)).toEqual(graphOf([...before, ...after]))
  expect(new Set(all.map(({ thread_id }) => thread_id ?? ''))).toEqual(
    new Set(['', all.find(({ kind }) => kind === 'thread')?.thread_id]),
  )
  expect(new Set(all.map(({ event_id }) => event_id)).size).toBe(all.length)
  expect(given.memoryLog.records(linkedMemory.name).length).toBeGreaterThan(0)
  expect(given.crashes).toEqual([])
})
