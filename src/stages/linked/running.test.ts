import { expect, it, vi } from 'vitest'
import { aChange, anArticle, folded, graphOf, RULES } from '../../../test/builders/linked.ts'
import { aRunning, type TestRunning } from '../../../test/builders/running.ts'
import { soon } from '../../../test/builders/soon.ts'
import { PlainCodec } from '../../adapters/plain-codec.ts'
import { storiesLinked, type StoryLinked } from '../../events/graph.ts'
import { articlesClustered, type ArticleClustered } from '../../events/ledger.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { linkedMemory } from './remembered.ts'
import { linked } from './stage.ts'

const codec = new PlainCodec()
const stage = linked({ budget: 100 }, RULES)

async function append({ log }: TestRunning, events: readonly ArticleClustered[]): Promise<void> {
  const records = events.map(async (event) => ({
    topic: articlesClustered.name,
    key: articlesClustered.key(event),
    value: await codec.encode(articlesClustered, event),
  }))
  await log.produce(await Promise.all(records))
}

async function told({ memoryLog }: TestRunning): Promise<readonly StoryLinked[]> {
  const decoded = await Promise.all(
    memoryLog
      .records(storiesLinked.name)
      .map(async ({ value }) => await codec.decode(storiesLinked, value ?? Buffer.alloc(0))),
  )
  return decoded.flatMap((one) => (one.kind === 'event' ? [one.event] : []))
}

const untilRead = async ({ log }: TestRunning) => {
  await vi.waitFor(async () => {
    expect(await log.committed('linked', articlesClustered.name)).toEqual(await log.ends(articlesClustered.name))
  }, soon)
}

const report = (story: string, hours: number, names = 'p1 p2 o3 g4') =>
  anArticle(story, `${story}${hours}`, { names, hours, subject: story })

it('tells after a restart only what became different, and names everything as before', async () => {
  const given = { ...aRunning(), codec }
  const before = [report('a', 0), report('b', 1), report('c', 2), report('d', 3, 'p1 p2 o3 l5')]
  const after = [
    ...[aChange('split', ['c', 'e'], ['c2'], 4), aChange('merged', ['a', 'b'], ['a0'], 5)],
    ...[report('f', 6), report('d', 3, 'p1 p2 o3 l5'), report('f', 7, 'p8 p9')],
  ]
  await append(given, before)
  const first = await runMemoryStage(stage, given)
  await untilRead(given)
  await first.stop()
  const untilNow = await told(given)
  expect(folded(untilNow)).toEqual(graphOf(before))

  await append(given, after)
  const second = await runMemoryStage(stage, given)
  await untilRead(given)
  await second.stop()

  const all = await told(given)
  expect(all.slice(0, untilNow.length)).toEqual(untilNow)
  expect(folded(all)).toEqual(graphOf([...before, ...after]))
  expect(new Set(all.map(({ thread_id }) => thread_id ?? ''))).toEqual(
    new Set(['', all.find(({ kind }) => kind === 'thread')?.thread_id]),
  )
  expect(new Set(all.map(({ event_id }) => event_id)).size).toBe(all.length)
  expect(given.memoryLog.records(linkedMemory.name).length).toBeGreaterThan(0)
  expect(given.crashes).toEqual([])
})
