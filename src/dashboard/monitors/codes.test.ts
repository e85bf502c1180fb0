import { describe, expect, it } from 'vitest'
import { codeNamed, countries, languages } from './codes.ts'

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
