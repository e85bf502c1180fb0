import { expect, it } from 'vitest'
import { bodyOf } from './body-of.ts'

it.each([
  ['Rain in Tamsin', 'Rain in Tamsin\n\nIt rained.', 'It rained.'],
  ['Rain in Tamsin', ' RAIN IN TAMSIN It rained.', 'It rained.'],
  ['Rain', 'Rainfall was heavy.', 'Rainfall was heavy.'],
  ['Rain in Tamsin', 'Rain in Tamsin', ''],
  ['Rain in “Tamsin”', 'RAIN IN "TAMSIN"\nIt rained.', 'It rained.'],
  [null, ' It rained. ', 'It rained.'],
  ['', 'It rained.', 'It rained.'],
])('takes the title %j off %j', (title, text, rest) => expect(bodyOf(title, text)).toBe(rest))
