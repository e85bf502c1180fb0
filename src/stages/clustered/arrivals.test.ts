import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Arrivals } from './arrivals.ts'

it('gives what is current, the oldest first, whatever came, went and came again, in order or late', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
  const change = fc.record({
    id,
    leaves: fc.boolean(),
    again: fc.boolean(),
    late: fc.constantFrom(0, 0, 0, 7.5, 70.25),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 400 }), fc.nat(10), (changes, looks) => {
      const orders = new Map<string, number>()
      const arrivals = new Arrivals(({ id, order }) => orders.get(id) === order)
      changes.forEach(({ id, leaves, again, late }, i) => {
        const order = again ? (orders.get(id) ?? i) : i - late
        if (leaves) orders.delete(id)
        else {
          orders.set(id, order)
          arrivals.add({ id, order }, orders.size)
        }
        if (i % 11 === looks) arrivals.first()
      })
      const expected = [...orders].map(([id, order]) => ({ id, order })).sort((a, b) => a.order - b.order)

      expect([...arrivals.inOrder()]).toEqual(expected)
      expect(arrivals.first()).toEqual(expected[0])
    }),
  )
})

it('looks through all of them seldom, however often one that stays comes again', () => {
  let looks = 0
  const arrivals = new Arrivals(() => (looks++, true))
  const add = (order: number): void => {
    arrivals.add({ id: `art_${order}`, order }, 100)
  }
  for (let order = 0; order < 100; order++) add(order)

  for (let i = 0; i < 5_000; i++) add(i % 100)

  expect(looks).toBeLessThan(15_000)
})
