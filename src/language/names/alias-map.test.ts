import { describe, expect, it } from 'vitest'
import { parseAliases } from './aliases.ts'

const map = parseAliases(
  'ORG\tWorld Health Organization\tQ7817\tWHO|Health Org\nPERSON\tAnn Falk\t\tFalk\nEVENT\tGreat Fire\t\tWHO\n',
)

it('knows a name by any of its spellings, as its own type only', () => {
  expect(map.named('ORG', 'the world HEALTH organization'.slice(4))).toEqual({
    type: 'ORG',
    name: 'World Health Organization',
    wikidata_id: 'Q7817',
  })
  expect(map.named('PERSON', 'falk')).toMatchObject({ name: 'Ann Falk', wikidata_id: null })
  expect(map.named('PERSON', 'World Health Organization')).toBeUndefined()
})

it('knows a short form in capitals only where it is written so', () => {
  expect(map.named('ORG', 'W.H.O.')?.name).toBe('World Health Organization')
  expect(map.named('ORG', 'Who')).toBeUndefined()
})

it('fixes the type of names of several words, never of single ones', () => {
  expect(map.typeOf('Health Org')).toBe('ORG')
  expect(map.typeOf('Falk')).toBeUndefined()
})

describe('refuses', () => {
  it.each([
    ['an unknown type', 'GPE\tParis\tQ90\t'],
    ['a line without a name', 'ORG\t\tQ90\t'],
    ['a wrong Wikidata id', 'ORG\tFalk\tQ09\t'],
    ['a name that two claim', 'ORG\tFalk\t\tF.B.\nORG\tWaldo\t\tFB'],
    ['a name that one claims twice', 'ORG\tFalk\t\tfalk'],
  ])('%s', (_, lines) => {
    expect(() => parseAliases(lines)).toThrow()
  })
})

it('leaves a name of two types without a fixed one', () => {
  const both = parseAliases('ORG\tWhite House\t\t\nEVENT\tBig Fire\t\tWhite House')

  expect(both.typeOf('White House')).toBeUndefined()
})
