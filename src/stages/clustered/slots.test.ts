import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addSlot, noSlots, removeSlot } from './slots.ts'

it('holds each slot as often as it was added and not removed', () => {
  const change = fc.record({ slot: fc.nat(5), removed: fc.boolean() })
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const slots = noSlots(1)
      const expected: number[] = []
      for (const { slot, removed } of changes) {
        if (removed) {
          removeSlot(slots, slot)
          if (expected.includes(slot)) expected.splice(expected.indexOf(slot), 1)
        } else {
          addSlot(slots, slot)
          expected.push(slot)
        }
      }

      expect([...slots.buffer.subarray(0, slots.length)].sort()).toEqual(expected.toSorted())
    }),
  )
})
