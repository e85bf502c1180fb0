import { expect, it } from 'vitest'
import { A_REPORT } from '../../test/builders/articles.ts'
import { semanticHash } from '../language/body-text.ts'
import { EDIT_NAMES, EDITS } from './reprint-edits.ts'
import { sample, seeded } from './seeded-random.ts'

const edited = (edit: (typeof EDIT_NAMES)[number], seed: string) =>
  EDITS[edit]({ text: A_REPORT, foreign: 'One. Two. Three. Four.', random: seeded(seed) })

it.each(EDIT_NAMES)('%s is the same for the same seed, and changes the text', (edit) => {
  expect(edited(edit, 'a')).toBe(edited(edit, 'a'))
  expect(edited(edit, 'a')).not.toBe(A_REPORT)
})

it('byline changes nothing but furniture and setting, whichever is drawn', () => {
  const hashes = Array.from({ length: 200 }, (_, i) => semanticHash(edited('byline', `seed ${i}`)))

  expect(new Set(hashes)).toEqual(new Set([semanticHash(A_REPORT)]))
})

it('cuts keep the beginning', () => {
  expect(A_REPORT.startsWith(edited('cut30', 'a'))).toBe(true)
  expect(edited('cut30', 'a').length).toBeLessThan(edited('cut60', 'a').length)
})

it('draws without putting back and keeps the order', () => {
  const sampled = sample(seeded('a'), [1, 2, 3, 4, 5, 6, 7, 8], 5)

  expect(sampled).toHaveLength(5)
  expect(sampled).toEqual([...new Set(sampled)].sort((a, b) => a - b))
})
