import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countIndependentSources, type SourcedArticle } from './accounts.ts'

let made = 0
const by = (house: string | null, text: string, at = 0): SourcedArticle => ({
  at,
  article_id: `art_${made++}`,
  text,
  house,
})

it('counts a text once, whoever prints it', () => {
  expect(countIndependentSources([by('a', 'wire'), by('b', 'wire', 1), by('c', 'wire', 2)])).toBe(1)
})

it('counts a house once, whatever it writes', () => {
  expect(countIndependentSources([by('a', 'one'), by('a', 'two'), by('a', 'three'), by('b', 'four')])).toBe(2)
})

it('takes re-prints for their first one, whose house may have written more', () => {
  expect(countIndependentSources([by('a', 'wire', 1), by('b', 'wire', 2), by('a', 'own')])).toBe(1)
  expect(countIndependentSources([by('a', 'wire', 2), by('b', 'wire', 1), by('a', 'own')])).toBe(2)
})

it('lets an article of nobody known stand for its text', () => {
  expect(countIndependentSources([by(null, 'one'), by(null, 'one'), by(null, 'two'), by('one', 'three')])).toBe(3)
})

it('depends on no order, and there are no more than texts', () => {
  const account = fc.record({
    at: fc.nat(5),
    article_id: fc.uuid(),
    text: fc.constantFrom('a', 'b', 'c', 'd'),
    house: fc.constantFrom('x', 'y', 'z', null),
  })
  fc.assert(
    fc.property(fc.array(account), (accounts) => {
      const found = countIndependentSources(accounts)
      expect(countIndependentSources(accounts.toReversed())).toBe(found)
      expect(found).toBeLessThanOrEqual(new Set(accounts.map(({ text }) => text)).size)
    }),
  )
})
