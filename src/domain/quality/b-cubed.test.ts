import { describe, expect, it } from 'vitest'
import { bCubed, pairwise, type GroupedItem } from './b-cubed.ts'

const grouped = (pairs: string): GroupedItem[] =>
  pairs.split(' ').map((pair) => ({ gold: pair.charAt(0), predicted: pair.charAt(1) }))

describe('B-cubed', () => {
  it('is 1 for the same groups under other names', () => {
    expect(bCubed(grouped('ax ax by bz'.replace('bz', 'by')))).toEqual({ precision: 1, recall: 1, f1: 1 })
  })

  it('takes the mean over items of the share of each group', () => {
    const measured = bCubed(grouped('ax ax bx by'))

    // x holds 2 of a and 1 of b: precision (2/3 + 2/3 + 1/3 + 1) / 4, recall (1 + 1 + 1/2 + 1/2) / 4
    expect(measured.precision).toBeCloseTo(8 / 12, 12)
    expect(measured.recall).toBeCloseTo(0.75, 12)
    expect(measured.f1).toBeCloseTo((2 * (8 / 12) * 0.75) / (8 / 12 + 0.75), 12)
  })

  it('falls in recall for singletons and in precision for one heap', () => {
    expect(bCubed(grouped('a1 a2 b3 b4'))).toMatchObject({ precision: 1, recall: 0.5 })
    expect(bCubed(grouped('a1 a1 b1 b1'))).toMatchObject({ precision: 0.5, recall: 1 })
  })
})

describe('pairwise', () => {
  it('counts pairs', () => {
    expect(pairwise(grouped('ax ax bx by'))).toEqual({ precision: 1 / 3, recall: 1 / 2, f1: 0.4 })
  })
})
