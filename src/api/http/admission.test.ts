import { EventEmitter, once } from 'node:events'
import { expect, it } from 'vitest'
import { settled } from '../../../test/builders/api.ts'
import { EngineUnavailable } from './engine-deadline.ts'
import { LaneFull, AdmissionQueue, type AdmissionLimits } from './admission.ts'

/** Work that completes when its gate opens. */
function aRoom(bounds: AdmissionLimits) {
  const room = new AdmissionQueue(bounds)
  const doors = new EventEmitter()
  const entered: string[] = []
  return {
    room,
    entered,
    ask: (lane: string, name: string) =>
      room.run(lane, async () => {
        entered.push(name)
        await once(doors, name)
        return name
      }),
    finish: async (name: string) => {
      doors.emit(name)
      await settled()
    },
  }
}

it('lets so many in, keeps so many waiting in their order, and sends the rest away', async () => {
  const { ask, finish, entered } = aRoom({ running: 2, runningPerLane: 2, waiting: 2 })
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => ask('one', name))
  await expect(ask('one', 'e')).rejects.toBeInstanceOf(EngineUnavailable)
  await settled()
  expect(entered).toEqual(['a', 'b'])

  await finish('b')
  expect(entered).toEqual(['a', 'b', 'c'])
  for (const name of ['a', 'c', 'd']) await finish(name)

  expect(await Promise.all([a, b, c, d])).toEqual(['a', 'b', 'c', 'd'])
})

it('lets lanes enter in turns, however many of one wait', async () => {
  const { ask, finish, entered } = aRoom({ running: 1, runningPerLane: 1, waiting: 10 })
  const crowd = ['a1', 'a2', 'a3'].map((name) => ask('a', name))
  const other = ask('b', 'b1')

  for (const name of ['a1', 'a2', 'b1', 'a3']) await finish(name)

  expect(entered.indexOf('b1')).toBeLessThan(entered.indexOf('a3'))
  await Promise.all([...crowd, other])
})

it('keeps a place free for others', async () => {
  const { ask, finish, entered } = aRoom({ running: 2, runningPerLane: 1, waiting: 10 })
  const crowd = [ask('a', 'a1'), ask('a', 'a2')]
  const other = ask('b', 'b1')
  await settled()

  expect(entered).toEqual(['a1', 'b1'])
  for (const name of ['a1', 'b1', 'a2']) await finish(name)
  await Promise.all([...crowd, other])
})

it('makes room for who has nobody waiting at the expense of the longest lane', async () => {
  const { ask, finish, entered } = aRoom({ running: 1, runningPerLane: 1, waiting: 2 })
  const first = ask('a', 'a1')
  const waits = ask('a', 'a2')
  const sentAway = expect(ask('a', 'a3')).rejects.toBeInstanceOf(EngineUnavailable)
  const other = ask('b', 'b1')
  await sentAway

  for (const name of ['a1', 'a2', 'b1']) await finish(name)
  await Promise.all([first, waits, other])
  expect(entered.toSorted()).toEqual(['a1', 'a2', 'b1'])
})

it('gives the place of work that failed to the next', async () => {
  const room = new AdmissionQueue({ running: 1, runningPerLane: 1, waiting: 1 })
  const failing = room.run('a', () => Promise.reject(new Error('no')))
  const next = room.run('b', () => Promise.resolve('done'))

  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
  expect(await room.run('a', () => Promise.resolve('free again'))).toBe('free again')
})

it('forgets a lane that has nothing in hand and nobody waiting, those that were sent away included', async () => {
  const { room, ask, finish } = aRoom({ running: 1, runningPerLane: 1, waiting: 2 })
  const first = ask('a', 'a1')
  const crowd = [ask('b', 'b1'), ask('b', 'b2')]
  const late = ['c', 'd', 'e'].map((lane) => ask(lane, `${lane}1`))
  const ends = Promise.allSettled([...crowd, ...late])
  await settled()

  expect(room).toHaveProperty('lanes.size', 3) // a, b, and c, which displaced b's second entry
  for (const name of ['a1', 'b1', 'c1']) await finish(name)
  await first
  expect((await ends).map(({ status }) => status)).toEqual([
    ...['fulfilled', 'rejected', 'fulfilled'],
    ...['rejected', 'rejected'],
  ])
  expect(room).toHaveProperty('lanes.size', 0)
})

/** Work with a weight that completes when its gate opens. */
function aWeighedRoom(bounds: AdmissionLimits) {
  const room = new AdmissionQueue(bounds)
  const doors = new EventEmitter()
  const entered: string[] = []
  const work = async (name: string): Promise<string> => {
    entered.push(name)
    await once(doors, name)
    return name
  }
  return {
    ...{ room, entered },
    ask: (lane: string, name: string, weight: number, signal?: AbortSignal) =>
      room.run(lane, () => work(name), {
        weight,
        ...(signal === undefined ? {} : { giveUp: () => signal }),
      }),
    finish: async (name: string) => {
      doors.emit(name)
      await settled()
    },
  }
}

it('counts weights, and lets no light work overtake heavy work of another lane for ever', async () => {
  const { ask, finish, entered } = aWeighedRoom({ running: 10, runningPerLane: 10, waiting: 10 })
  const all = [ask('a', 'a6', 6), ask('b', 'b8', 8), ask('c', 'c2', 2)]
  await settled()
  expect(entered).toEqual(['a6'])

  await finish('a6')
  expect(entered).toEqual(['a6', 'b8', 'c2'])

  for (const name of ['b8', 'c2']) await finish(name)
  expect(await Promise.all(all)).toEqual(['a6', 'b8', 'c2'])
})

it('keeps a lane within its share, and lets others pass it', async () => {
  const { ask, finish, entered } = aWeighedRoom({ running: 10, runningPerLane: 4, waiting: 10 })
  const all = [ask('a', 'a1', 4), ask('a', 'a2', 4), ask('b', 'b1', 4)]
  await settled()

  expect(entered).toEqual(['a1', 'b1'])
  for (const name of ['a1', 'b1', 'a2']) await finish(name)
  await Promise.all(all)
})

it('lets work heavier than the whole room enter alone', async () => {
  const { ask, finish, entered } = aWeighedRoom({ running: 10, runningPerLane: 4, waiting: 10 })
  const all = [ask('a', 'huge', 1_000), ask('a', 'small', 1)]
  await settled()

  expect(entered).toEqual(['huge'])
  for (const name of ['huge', 'small']) await finish(name)
  await Promise.all(all)
})

it('takes work that gives up out of the queue, and lets the next enter', async () => {
  const { ask, finish, entered, room } = aWeighedRoom({ running: 4, runningPerLane: 4, waiting: 10 })
  const departure = new AbortController()
  const first = ask('a', 'first', 2)
  const heavy = ask('a', 'heavy', 4, departure.signal)
  const light = ask('a', 'light', 2)
  await settled()
  expect(room.waitingNow).toBe(2)

  departure.abort(new Error('the client left'))

  await expect(heavy).rejects.toThrow('the client left')
  await settled()
  expect(entered).toEqual(['first', 'light'])
  for (const name of ['first', 'light']) await finish(name)
  await Promise.all([first, light])
})

it('refuses more waiting work of one lane than may wait of one', async () => {
  const { ask, finish } = aWeighedRoom({ running: 1, runningPerLane: 1, waiting: 10, waitingPerLane: 1 })
  const all = [ask('a', 'a1', 1), ask('a', 'a2', 1)]

  await expect(ask('a', 'a3', 1)).rejects.toBeInstanceOf(LaneFull)

  for (const name of ['a1', 'a2']) await finish(name)
  await Promise.all(all)
})
