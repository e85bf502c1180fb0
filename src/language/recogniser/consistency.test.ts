import { expect, it } from 'vitest'
import { consistent, type NamedSentence } from './consistency.ts'
import type { NameType } from './tags.ts'

const rules = { isPlace: (word: string) => word === 'Washington', isCommon: (word: string) => word === 'May' }

/** "Ann Lee|PER met Lee" names the first two words. */
function sentence(marked: string): NamedSentence {
  const words: string[] = []
  const spans = marked.split(' ').flatMap((part) => {
    const [name = '', type] = part.split('|')
    const start = words.length
    words.push(...name.split('_'))
    return type === undefined ? [] : [{ type: kind(type), start, end: words.length }]
  })
  return { words, spans }
}
const kind = (type: string): NameType => (type === 'PER' || type === 'ORG' || type === 'LOC' ? type : 'EVENT')

const names = (...marked: string[]): string[][] => {
  const sentences = marked.map(sentence)
  return consistent(sentences, rules).map((spans, i) =>
    spans.map(({ type, start, end }) => `${sentences[i]?.words.slice(start, end).join(' ') ?? ''}|${type}`),
  )
}

it('gives a surface the type of most of its mentions', () => {
  expect(names('Opel|ORG grew', 'Opel|ORG fell', 'in Opel|LOC')[2]).toEqual(['Opel|ORG'])
})

it('gives a surname to the person named in full', () => {
  expect(names('Ann_Lee|PER spoke', 'but Lee|ORG left', 'and Lee stayed')).toEqual([
    ['Ann Lee|PER'],
    ['Lee|PER'],
    ['Lee|PER'],
  ])
})

it('leaves a place a place though a person bears its name', () => {
  expect(names('George_Washington|PER', 'in Washington|LOC')[1]).toEqual(['Washington|LOC'])
})

it('finds a name again where the tagger missed it, but not inside another', () => {
  expect(names('Opel|ORG grew', 'and Opel fell', 'at Opel Tower')).toEqual([['Opel|ORG'], ['Opel|ORG'], []])
})

it('does not take a common word for its twin', () => {
  expect(names('Theresa_May|PER', 'it May rain')[1]).toEqual([])
})
