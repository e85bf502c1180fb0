import { describe, expect, it } from 'vitest'
import { countWords, sharedWords, titleWords, wordsOf } from './title-words.ts'

const of = (...titles: string[]) => titleWords(countWords(titles), titles.length)

describe('the words of titles', () => {
  it('are in lower case, without genitives and signs, each once', () => {
    expect([...wordsOf('Comey’s memo: Comey says “no” to a U.S. senator')]).toEqual([
      ...['comey', 'memo', 'says', 'no', 'to', 'senator'],
    ])
  })

  it('say more where they are rare, and where more titles have them', () => {
    const words = of('Trump on Comey', 'Comey testifies')

    expect(words.get('comey')).toBeGreaterThan(words.get('testifies') ?? NaN)
    expect(words.get('testifies')).toBeGreaterThan(words.get('trump') ?? NaN)
  })

  it('are compared from 0 to 1, the same from both sides', () => {
    const [one, other] = [of('Trump fires Comey'), of('Comey will testify')]

    expect(sharedWords(one, one)).toBeCloseTo(1)
    expect(sharedWords(one, other)).toBe(sharedWords(other, one))
    expect(sharedWords(one, other)).toBeGreaterThan(sharedWords(one, of('Trump plays golf')))
    expect(sharedWords(one, of())).toBe(0)
  })
})
