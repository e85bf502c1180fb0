import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { matches } from '../../../test/platforms/query.ts'
import { aTarget } from '../../../test/builders/connectors.ts'
import { certainStory, mayBeAbout, queryOf } from './words.ts'

const bridge = aTarget()
const nameless = aTarget({ entities: [], terms: ['harbour', 'bridge', 'closes', 'storm'] })

describe('a text may be about a story', () => {
  it.each([
    ['Ada Quill knew the bridge was rotten', true],
    ['ADA-QUILL! and Porthaven…', true],
    ['Ada Quill again', false],
    ['the harbour bridge', false],
    ['Adam Quill and the bridges', false],
  ])('where it holds a name and one more term: %s: %s', (text, expected) => {
    expect(mayBeAbout(bridge, text)).toBe(expected)
  })

  it('that names nobody where it holds its two first terms and one more', () => {
    expect(mayBeAbout(nameless, 'The harbour bridge in the storm')).toBe(true)
    expect(mayBeAbout(nameless, 'The bridge closes in the storm')).toBe(false)
  })

  it('and surely is where it holds three of its terms and a name', () => {
    expect(certainStory(bridge, 'Ada Quill on the harbour bridge')).toBe('sto_bridge')
    expect(certainStory(bridge, 'Ada Quill on the bridge')).toBeNull()
    expect(certainStory(nameless, 'The harbour bridge closes in the storm')).toBeNull()
  })
})

describe('the question for a story', () => {
  it('asks for a name and one more term', () => {
    expect(queryOf(bridge, 512)).toBe(
      '("Ada Quill" ("Porthaven" OR "harbour" OR "bridge")) OR ("Porthaven" ("harbour" OR "bridge"))',
    )
    expect(queryOf(nameless, 512)).toBe('"harbour" "bridge" ("closes" OR "storm")')
    expect(queryOf(aTarget({ terms: ['Ada Quill'] }), 512)).toBe('"Ada Quill"')
    expect(queryOf(aTarget({ terms: [] }), 512)).toBeNull()
  })

  it('leaves out the last terms where it would be too long', () => {
    expect(queryOf(bridge, 60)).toBe('"Ada Quill" "Porthaven"')
    expect(queryOf(bridge, 5)).toBeNull()
  })

  it('finds exactly the texts that may be about the story', () => {
    const word = fc.constantFrom('Ada Quill', 'Porthaven', 'harbour', 'bridge', 'closes', 'storm', 'lol', 'OR', 'not')
    const ask = fc.constantFrom(
      bridge,
      nameless,
      aTarget({ terms: ['Porthaven', 'storm'] }),
      aTarget({ terms: ['Porthaven'] }),
    )
    fc.assert(
      fc.property(ask, fc.array(word, { maxLength: 6 }), (target, said) => {
        const text = said.join(' ')
        const found = matches(queryOf(target, 512) ?? '', { text, operator: () => false })
        expect(found).toBe(mayBeAbout(target, text))
      }),
    )
  })

  it('has no sign that a platform would read, whatever the terms are', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 }), (terms) => {
        const query = queryOf(aTarget({ terms, entities: terms.slice(0, 2) }), 512)
        const outside = (query ?? '').replace(/"[^"]*"/g, '').replace(/\bOR\b|[() ]/g, '')
        expect(outside).toBe('')
      }),
    )
  })
})
