import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { leastCpuMs } from '../../../test/builders/cpu.ts'
import { projectPath } from '../../config/project-path.ts'
import { parseAliases, aliasOf, fixedType } from './aliases.ts'
import { nameKey } from './name-key.ts'

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

const FILES = ['aliases.tsv', 'brands.tsv'] as const
const read = (file: string): string => readFileSync(projectPath(`models/names/${file}`), 'utf8')

describe.each(FILES)('%s', (file) => {
  it('is in the order of types and names, each line with four fields', () => {
    const lines = read(file).replace(/\n$/, '').split('\n')
    const keys = lines.map((line) => line.split('\t').slice(0, 2).join('\t'))

    expect(keys).toEqual([...keys].sort((a, b) => (a < b ? -1 : 1)))
    expect(lines.every((line) => line.split('\t').length === 4)).toBe(true)
  })

  it('has no blank at an edge and nothing that is not NFC', () => {
    const fields = read(file).split(/[\t\n|]/)

    expect(fields.filter((field) => field !== field.trim() || field !== field.normalize('NFC'))).toEqual([])
  })
})

it('lets no alias claim two names, in both files together', () => {
  expect(parseAliases(FILES.map(read).join('')).lines.length).toBeGreaterThan(4_000)
})

it('gives no Wikidata id to two names', () => {
  const ids = FILES.flatMap((file) => parseAliases(read(file)).lines).flatMap(({ wikidata_id }) => wikidata_id ?? [])

  expect(ids.length).toBeGreaterThan(4_000)
  expect(ids).toHaveLength(new Set(ids).size)
})

it('is read within the time a start may take', () => {
  const texts = FILES.map(read)

  expect(leastCpuMs(() => texts.map(parseAliases), 150)).toBeLessThan(150)
})

it.each([
  ['ORG', 'GOP', 'Republican Party', 'Q29468'],
  ['ORG', 'Fed', 'Federal Reserve', 'Q53536'],
  ['ORG', 'US Immigration and Customs Enforcement', 'ICE', null],
  ['PERSON', 'Mohammed bin Salman', 'Mohammed bin Salman', null],
  ['PERSON', 'Moammar Gadhafi', 'Muammar Gaddafi', 'Q19878'],
  ['EVENT', 'WWII', 'World War II', 'Q362'],
] as const)('%s %s is %s', (type, written, name, wikidata_id) => {
  expect(aliasOf(type, written)).toMatchObject(wikidata_id === null ? { name } : { name, wikidata_id })
})

it('knows a name only as its own type', () => {
  expect(aliasOf('PERSON', 'GOP')).toBeUndefined()
})

it('knows a brand, which fixes no type', () => {
  expect(aliasOf('ORG', 'Barnes and Noble')).toMatchObject({ name: 'Barnes & Noble', wikidata_id: 'Q795454' })
  expect(fixedType('Barnes & Noble')).toBeUndefined()
})

it('fixes the type of names of several words, never of single ones', () => {
  expect(fixedType('White House')).toBe('ORG')
  expect(fixedType('World War II')).toBe('EVENT')
  expect(fixedType('Fed')).toBeUndefined()
})

it('reads a name past stops, case, accents and signs', () => {
  expect(['U.N.', 'Al-Qaeda', 'Erdoğan', 'Łódź’s', 'AT&T', 'J. D. Vance'].map(nameKey)).toEqual([
    'un',
    'al qaeda',
    'erdogan',
    'lodz s',
    'at and t',
    'jd vance',
  ])
})
