import { describe, expect, it } from 'vitest'
import { codeNamed, countries, enteredValues, languages } from './codes.ts'

describe('codes of countries and languages', () => {
  it.each(['de', 'DE', 'Germany', ' germany '])('finds a country by code or name: %s', (text) => {
    expect(codeNamed(text, countries())).toBe('DE')
  })

  it.each(['de', 'German'])('finds a language by code or name: %s', (text) => {
    expect(codeNamed(text, languages())).toBe('de')
  })

  it('finds nothing where there is none', () => {
    expect(codeNamed('Atlantis', countries())).toBeNull()
    expect(codeNamed('', languages())).toBeNull()
  })

  it('lists countries only, and no former codes', () => {
    const codes = countries().map(([code]) => code)

    expect(codes).toEqual(expect.arrayContaining(['AF', 'DE', 'US', 'ZW']))
    expect(codes.filter((code) => ['EU', 'UN', 'ZZ', 'DD', 'SU', 'UK'].includes(code))).toEqual([])
    expect(codes.length).toBeGreaterThan(240)
  })

  it('lists languages by their current codes, and unknown', () => {
    const codes = languages().map(([code]) => code)

    expect(codes).toEqual(expect.arrayContaining(['en', 'he', 'zh', 'und']))
    expect(codes.filter((code) => ['iw', 'in', 'xx'].includes(code))).toEqual([])
  })
})

describe('entered values', () => {
  it.each([
    ['DE, France', { added: ['DE', 'FR'], rest: '' }],
    ['de, Atlantis, fr, Lemuria', { added: ['DE', 'FR'], rest: 'Atlantis, Lemuria' }],
    [' , ', { added: [], rest: '' }],
  ])('are codes or names, separated by commas: %s', (text, expected) => {
    expect(enteredValues(text, countries())).toEqual(expected)
  })

  it('may be a name with a comma', () => {
    expect(enteredValues('Bonn, Germany', [['BG', 'Bonn, Germany']])).toEqual({ added: ['BG'], rest: '' })
  })

  it('are any text, with commas, where no codes are given', () => {
    expect(enteredValues(' Example Media, Inc. ')).toEqual({ added: ['Example Media, Inc.'], rest: '' })
    expect(enteredValues(' ')).toEqual({ added: [], rest: '' })
  })
})
