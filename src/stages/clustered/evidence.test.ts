import { describe, expect, it } from 'vitest'
import { evidence } from './evidence.ts'
import { termHash } from './terms.ts'

const named = (text: string, kind: string, candidates: readonly string[]): string[] => {
  const hashes = new Set(evidence(text)[kind]?.hashes)
  expect(hashes.size).toBe(candidates.filter((name) => hashes.has(termHash(name))).length)
  return candidates.filter((name) => hashes.has(termHash(name)))
}

describe('evidence', () => {
  it('takes counts, ages, sums and magnitudes, written in figures or in words', () => {
    const text = 'A 5.9 quake hurt 62 people, among them a 71-year-old; 4,200 homes fell, at $26.5 million. Forty fled.'

    expect(named(text, 'numbers', ['5.9', '62', '71', '4200', '26.5', '40'])).toEqual([
      '62',
      '71',
      '4200',
      '26.5',
      '40',
    ])
  })

  it('takes no days, years, times of day, serial numbers or web addresses for numbers', () => {
    const text =
      'June 23, 2013 at 3:15 p.m. or 11:45, on 30 August and Sept. 14th: file 80744123, http://a.example/99/x, 4 pm, 17 p.m.'

    expect(evidence(text)['numbers']).toBeUndefined()
  })

  it('tells a count after the name of a month from a day of it', () => {
    expect(named('In May 1,500 people came', 'numbers', ['1500'])).toEqual(['1500'])
  })

  it('takes years that stand by themselves', () => {
    expect(named('Since 2008 and in 2013, not 1,950 nor 2013.5 nor 20134', 'years', ['2008', '2013'])).toHaveLength(2)
  })

  it('takes weekdays in any case, once', () => {
    expect(named('On Tuesday, TUESDAY night and friday', 'weekdays', ['tuesday', 'friday'])).toHaveLength(2)
  })

  it('takes names after a word of place', () => {
    const text =
      "Fire in Port Tamsin’s harbour, off the Ketter Islands and at St. Ansel. Mr Vale spoke in anger of Tamsin's past."

    expect(named(text, 'places', ['port tamsin', 'ketter islands', 'st. ansel', 'tamsin'])).toHaveLength(4)
  })

  it('has no kind of which there is nothing', () => {
    expect(evidence('A quiet day')).toEqual({})
  })
})
