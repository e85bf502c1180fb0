import { EventEmitter, once } from 'node:events'
import { expect, it } from 'vitest'
import { settled } from '../../../test/builders/api.ts'
import { Away } from '../away.ts'
import { Room } from './room.ts'

it('lets so many in, keeps so many waiting in their order, and sends the rest away', async () => {
  const room = new Room({ inHand: 2, waiting: 2 })
  const doors = new EventEmitter()
  const entered: string[] = []
  const ask = async (name: string) =>
    await room.run(async () => {
      entered.push(name)
      await once(doors, name)
      return name
    })

  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(ask)
  await expect(ask('e')).rejects.toBeInstanceOf(Away)
  await settled()
  expect(entered).toEqual(['a', 'b'])

  doors.emit('b')
  expect(await b).toBe('b')
  await settled()
  expect(entered).toEqual(['a', 'b', 'c'])

  doors.emit('a')
  await settled()
  doors.emit('c')
  doors.emit('d')
  expect(await Promise.all([a, c, d])).toEqual(['a', 'c', 'd'])
})

it('gives the place of work that failed to the next', async () => {
  const room = new Room({ inHand: 1, waiting: 1 })
  const failing = room.run(async () => await Promise.reject(new Error('no')))
  const next = room.run(async () => await Promise.resolve('done'))

  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
  expect(await room.run(async () => await Promise.resolve('free again'))).toBe('free again')
})
