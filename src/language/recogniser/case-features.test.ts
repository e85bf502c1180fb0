import { describe, expect, it } from 'vitest'
import { CASE_FEATURES, caseFeatures } from './case-features.ts'
import { CASE } from './shapes.ts'

/** Features that each word of a sentence has, by number. */
function featuresOf(sentence: string): number[][] {
  const words = sentence.split(' ')
  const features = caseFeatures(words)
  expect(features).toHaveLength(words.length * CASE_FEATURES)
  return words.map((_, i) => {
    const row = [...features.subarray(i * CASE_FEATURES, (i + 1) * CASE_FEATURES)]
    expect(row.every((value) => value === 0 || value === 1)).toBe(true)
    return row.flatMap((value, at) => (value === 1 ? at : []))
  })
}

const FIRST = 9
const SHOUTED = 10
const HEADLINE = 11
const [ORG_CUE, LOC_CUE, TITLE, DEMONYM, AFTER_SIGN, LAST] = [16, 17, 18, 19, 20, 21]

describe('caseFeatures', () => {
  it('says how each word is written, once', () => {
    const classes = featuresOf('Mr McDonald of the BBC paid 20 % for G20').map((row) => row.filter((at) => at < FIRST))
    expect(classes).toEqual(
      [
        CASE.capital,
        CASE.mixed,
        CASE.lower,
        CASE.lower,
        CASE.shouted,
        CASE.lower,
        CASE.number,
        CASE.sign,
        CASE.lower,
        CASE.alphanumeric,
      ].map((kind) => [kind]),
    )
  })

  it('finds the first word behind an opening quote, and the last of the sentence', () => {
    const rows = featuresOf('“ Never again , ” she said')
    expect(rows.map((row) => row.includes(FIRST))).toEqual([false, true, false, false, false, false, false])
    expect(rows.findIndex((row) => row.includes(LAST))).toBe(6)
    expect(rows.map((row) => row.includes(AFTER_SIGN))).toEqual([false, true, false, false, true, true, false])
  })

  it('knows where capitals say little: in a shouted sentence and in a headline', () => {
    const marks = (sentence: string): boolean[] =>
      [SHOUTED, HEADLINE].map((at) => featuresOf(sentence).every((row) => row.includes(at)))
    expect(marks('SOCCER - JAPAN GET LUCKY WIN')).toEqual([true, true])
    expect(marks('Senate Votes to Open Debate on Health Bill')).toEqual([false, true])
    expect(marks('The senate of France voted on Monday to open the debate')).toEqual([false, false])
    expect(marks('Paris')).toEqual([false, false])
  })

  it('looks words up whatever their case', () => {
    const rows = featuresOf('french President of the central BANK')
    expect(rows[0]).toContain(DEMONYM)
    expect(rows[1]).toContain(TITLE)
    expect(rows[4]).toContain(LOC_CUE)
    expect(rows[5]).toContain(ORG_CUE)
    expect(rows[2]?.filter((at) => at >= ORG_CUE)).toEqual([])
  })

  it('makes nothing of nothing', () => {
    expect(caseFeatures([])).toHaveLength(0)
  })
})
