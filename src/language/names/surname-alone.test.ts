import { describe, expect, it } from 'vitest'
import { withoutLoneSurnames } from './surname-alone.ts'

const person = (name: string, mention_count: number, article_count = 1) => ({
  ...{ id: name, name, type: 'PERSON', mention_count, article_count },
})
const names = (...entities: ReturnType<typeof person>[]) =>
  withoutLoneSurnames(entities, 3).map(({ name, mention_count, article_count }) => [name, mention_count, article_count])

describe('a surname alone in a story', () => {
  it('is the one person whom another article names in full', () => {
    expect(names(person('Sanders', 9, 2), person('Bernie Sanders', 4, 2), person('Jane Doe', 1))).toEqual([
      ['Bernie Sanders', 13, 3],
      ['Jane Doe', 1, 1],
    ])
  })

  it('is whom the story names far more often than a namesake', () => {
    expect(names(person('Bernie Sanders', 6), person('Sanders', 2), person('Sarah Sanders', 2))).toEqual([
      ['Bernie Sanders', 8, 2],
      ['Sarah Sanders', 2, 1],
    ])
  })

  it('stays where two namesakes are named about as often', () => {
    expect(names(person('Bill Clinton', 3), person('Hillary Clinton', 4), person('Clinton', 2))).toHaveLength(3)
  })

  it('stays where nobody is named in full, or only a place is', () => {
    expect(names(person('Sanders', 2), { ...person('Colonel Sanders', 2), type: 'ORG' })).toHaveLength(2)
  })
})
