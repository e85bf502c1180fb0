import { expect, it } from 'vitest'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { topic } from '../../events/topic.ts'
import { topicsOf } from '../../runtime/run-view.ts'
import { on, onDead, type View } from '../../runtime/shapes.ts'
import { onlyMarkersLeft, positionOf, reaches } from './positions.ts'

const said = topic<never>('said', () => '')
const heard = topic<never>('heard', () => '')
const view: View = { name: 'words', projections: [on(said, () => []), on(heard, () => []), onDead(said, () => [])] }

const put = (log: MemoryLog, name: string, count: number) =>
  log.produce(Array.from({ length: count }, () => ({ topic: name, key: 'k', value: null })))

it('counts what is behind a group and what there is, over all topics of a view', async () => {
  const log = new MemoryLog()
  await put(log, 'said', 5)
  await put(log, 'heard', 3)
  log.commit('g', { topic: 'said', partition: 0, offset: 4 }, null)

  expect(await positionOf(topicsOf(view), 'g', log)).toEqual({
    ...{ done: 4, whole: 8 },
    next: { said: [4], heard: [0], 'said.dead': [0] },
    ends: { said: [5], heard: [3], 'said.dead': [0] },
  })
})

it('counts from where the log begins, where that is not the first record any more', async () => {
  const log = new MemoryLog()
  await put(log, 'said', 5)
  const shortened = {
    starts: () => Promise.resolve([2]),
    ends: () => Promise.resolve([5]),
    committed: () => Promise.resolve([null]),
  }

  expect(await positionOf(['said'], 'g', shortened)).toMatchObject({
    ...{ done: 0, whole: 3 },
    next: { said: [2] },
  })
})

it('reaches a place when no partition is behind it', () => {
  expect(reaches({ said: [3, 4] }, { said: [3, 3] })).toBe(true)
  expect(reaches({ said: [3, 2] }, { said: [3, 3] })).toBe(false)
  expect(reaches({}, { said: [1] })).toBe(false)
  expect(reaches({}, { said: [0] })).toBe(true)
})

it('knows the mark of a transaction from a record that is still to be read', async () => {
  const log = new MemoryLog()
  const writer = await log.writer('w')
  await writer.write([{ topic: 'said', key: 'k', value: null }], { group: 'other', next: [] })
  const behind = async (next: number) => {
    log.commit('g', { topic: 'said', partition: 0, offset: next }, null)
    return onlyMarkersLeft(await positionOf(['said'], 'g', log), log)
  }

  expect([await behind(0), await behind(1), await behind(2)]).toEqual([false, true, true])
})
