import fc from 'fast-check'
import { expect, it } from 'vitest'
import { independent } from './as-of.ts'

/** Origins by number; each may quote one that arrived before it. */
const forests = fc
  .array(fc.record({ copies: fc.integer({ min: 1, max: 3 }), quotes: fc.nat() }), { maxLength: 30 })
  .map((made) =>
    made.flatMap(({ copies, quotes }, i) => {
      const from_origin = i > 0 && quotes % 2 === 0 ? `syn_${quotes % i}` : ''
      return Array.from({ length: copies }, (_, copy) => ({
        origin: `syn_${i}`,
        from_origin: copy === 0 ? from_origin : '',
      }))
    }),
  )

it('leaves as many accounts as there are origins that quote no other', () => {
  fc.assert(
    fc.property(forests, (members) => {
      const quoting = new Set(members.filter(({ from_origin }) => from_origin !== '').map(({ origin }) => origin))
      const origins = new Set(members.map(({ origin }) => origin))
      const roots = new Set(independent(members).values())

      expect(roots.size).toBe(origins.size - quoting.size)
      expect([...roots].filter((root) => quoting.has(root))).toEqual([])
    }),
  )
})

it('ends where members quote each other in a circle', () => {
  const circle = ['a', 'b', 'c'].map((origin, i) => ({ origin, from_origin: ['b', 'c', 'a'][i] ?? '' }))

  expect([...independent(circle).keys()]).toEqual(['a', 'b', 'c'])
})
