import { describe, expect, it } from 'vitest'
import type { EntityType } from '../../events/articles.ts'
import { openPlaces } from '../places/places.ts'
import { canonicalNames } from './canonical-names.ts'

const places = openPlaces()

/** A mention is a surface, or what stands before it, a bar, and the surface: "Mrs. |Clinton". */
const names = (type: EntityType, ...mentions: string[]): string[] =>
  canonicalNames(
    mentions.map((mention) => {
      const [surface = '', before] = mention.split('|').reverse()
      return before === undefined ? { type, surface } : { type, surface, before }
    }),
    places,
  ).map(({ name }) => name)

type CanonicalNamesRow = [rule: string, mentions: string[], expected: string[]]
const everyRow = (type: EntityType) => (_: string, mentions: string[], expected: string[]) => {
  expect(names(type, ...mentions)).toEqual(expected)
}

describe('persons: what is one', () => {
  it.each<CanonicalNamesRow>([
    ['a surname is its one bearer', ['Angela Merkel', 'Merkel'], ['Angela Merkel', 'Angela Merkel']],
    ['though it comes first', ['Seales', 'Chad Seales'], ['Chad Seales', 'Chad Seales']],
    ['titles and possessives go', ['Mr. Ryan’s', "Paul Ryan's"], ['Paul Ryan', 'Paul Ryan']],
    ['a first name is its one bearer', ['Ann Telnaes', 'Ann'], ['Ann Telnaes', 'Ann Telnaes']],
    ['a short first name', ['Jim Waldo', 'James Waldo', 'Waldo'], ['James Waldo', 'James Waldo', 'James Waldo']],
    ['initials', ['J. Waldo', 'James Waldo'], ['James Waldo', 'James Waldo']],
    ['two initials', ['J.D. Vance', 'James David Vance'], ['James David Vance', 'James David Vance']],
    ['initials with blanks', ['J. D. Vance', 'JD Vance'], ['J. D. Vance', 'J. D. Vance']],
    ['a middle name left out', ['John Q. Adams', 'John Adams'], ['John Adams', 'John Adams']],
    ['a number left out', ['Robert Waldo III', 'Robert Waldo'], ['Robert Waldo', 'Robert Waldo']],
    ['suffixes', ['Peter King Jr.', 'King'], ['Peter King Jr.', 'Peter King Jr.']],
    ['an alias', ['Donald J. Trump', 'Hillary Rodham Clinton'], ['Donald Trump', 'Hillary Clinton']],
    ['shouting', ['CORBYN', 'Corbyn', 'ANN TELNAES'], ['Jeremy Corbyn', 'Jeremy Corbyn', 'Ann Telnaes']],
    ['accents', ['Pedro Nuñez', 'Pedro Nunez', 'Nunez'], ['Pedro Nuñez', 'Pedro Nuñez', 'Pedro Nuñez']],
    ['a hyphen', ['Lau Siu-lai', 'Lau Siu Lai'], ['Lau Siu Lai', 'Lau Siu Lai']],
    ['a particle', ['Bill de Blasio', 'De Blasio'], ['Bill de Blasio', 'Bill de Blasio']],
    ['particles', ['Jan van der Velde', 'Van der Velde'], ['Jan van der Velde', 'Jan van der Velde']],
    ['an Arabic article', ['Faisal al-Qassem', 'al-Qassem', 'Qassem'], Array<string>(3).fill('Faisal al-Qassem')],
    ['two surnames', ['Ana Botín Ortega', 'Botín Ortega', 'Botín'], Array<string>(3).fill('Ana Botín Ortega')],
    ['a double surname', ['Ann Maffly-Kipp', 'Maffly-Kipp'], ['Ann Maffly-Kipp', 'Ann Maffly-Kipp']],
    ['a surname that stands first', ['Zhang Yiming', 'Mr. |Zhang'], ['Zhang Yiming', 'Zhang Yiming']],
    ['party and state', ['Chris Murphy, D-Conn', 'Murphy'], ['Chris Murphy', 'Chris Murphy']],
  ])('%s', everyRow('PERSON'))
})

describe('persons: who stay apart', () => {
  it.each<CanonicalNamesRow>([
    ['two bearers', ['Andrew Falk', 'Jill Falk', 'Falk'], ['Andrew Falk', 'Jill Falk', 'Falk']],
    ['two bearers of a first name', ['Ann Telnaes', 'Ann Rowe', 'Ann'], ['Ann Telnaes', 'Ann Rowe', 'Ann']],
    ['Mr. and a first name', ['Grant Hale', 'Mr. |Grant'], ['Grant Hale', 'Grant']],
    ['other first names', ['Joe Waldo', 'John Waldo'], ['Joe Waldo', 'John Waldo']],
    ['an initial of two', ['James Waldo', 'John Waldo', 'J. Waldo'], ['James Waldo', 'John Waldo', 'J. Waldo']],
    ['another initial', ['R. Waldo', 'James Waldo'], ['R. Waldo', 'James Waldo']],
    ['initials between', ['George W. Bush', 'George H.W. Bush'], ['George W. Bush', 'George H. W. Bush']],
    ['father and son', ['Peter King', 'Peter King Jr.', 'King'], ['Peter King', 'Peter King Jr.', 'Peter King']],
    ['two middle names', ['Mary Ann Lee', 'Ann Lee'], ['Mary Ann Lee', 'Ann Lee']],
    ['a middle name that is a first name', ['Mary Jane Hale', 'Jane'], ['Mary Jane Hale', 'Jane']],
    ['a longer word', ['Ann Hales', 'Hale'], ['Ann Hales', 'Hale']],
  ])('%s', everyRow('PERSON'))
})

describe('persons: titles decide', () => {
  it.each<CanonicalNamesRow>([
    [
      'between husband and wife',
      ['Bill Clinton', 'Hillary Clinton', 'Mrs. |Clinton', 'Mr. |Clinton', 'Clinton'],
      ['Bill Clinton', 'Hillary Clinton', 'Hillary Clinton', 'Bill Clinton', 'Clinton'],
    ],
    [
      'far more often named than a namesake',
      ['Bernie Sanders', 'Bernie Sanders', 'Hillary Sanders', 'Sanders', 'Bernie Sanders'],
      ['Bernie Sanders', 'Bernie Sanders', 'Hillary Sanders', 'Bernie Sanders', 'Bernie Sanders'],
    ],
    ['against the only bearer', ['Bill Clinton', 'Mrs. |Clinton'], ['Bill Clinton', 'Mrs. Clinton']],
    ['against a well-known one', ['Mrs. |Trump', 'Mr. |Trump'], ['Mrs. Trump', 'Donald Trump']],
    [
      'by what the article calls them',
      ['Ms. |Robin Falk', 'Mr. |Jordan Falk', 'Mr. |Falk'],
      ['Robin Falk', 'Jordan Falk', 'Jordan Falk'],
    ],
    ['by office', ['Sen. |Ann Falk', 'Jill Falk', 'Senator |Falk'], ['Ann Falk', 'Jill Falk', 'Ann Falk']],
    ['not if both hold it', ['Sen. |Ann Falk', 'Sen. |Jo Falk', 'Sen. |Falk'], ['Ann Falk', 'Jo Falk', 'Falk']],
  ])('%s', everyRow('PERSON'))
})

describe('well-known persons', () => {
  it.each<CanonicalNamesRow>([
    ['by surname alone', ['Trump'], ['Donald Trump']],
    ['unless another is named', ['Ivanka Trump', 'Trump'], ['Ivanka Trump', 'Ivanka Trump']],
    ['among several', ['Ivanka Trump', 'Eric Trump', 'Trump'], ['Ivanka Trump', 'Eric Trump', 'Donald Trump']],
    ['never by a first word', ['Trump Will Have Blood', 'Trump'], ['Trump Will Have Blood', 'Donald Trump']],
    ['in any transliteration', ['Gadhafi', 'Moammar Gaddafi'], ['Muammar Gaddafi', 'Muammar Gaddafi']],
    ['without its accents', ['Erdogan', 'ERDOĞAN'], Array<string>(2).fill('Recep Tayyip Erdoğan')],
    [
      'with a title of his own',
      ['Pope |Francis', 'Ann Francis', 'King |Salman'],
      ['Pope Francis', 'Ann Francis', 'King Salman'],
    ],
    ['that follows him', ['Pope |Francis', 'Francis'], ['Pope Francis', 'Pope Francis']],
    ['decomposed', ['Erdog\u0306an'], ['Recep Tayyip Erdoğan']],
  ])('%s', everyRow('PERSON'))
})

describe('organisations: what is one', () => {
  it.each<CanonicalNamesRow>([
    [
      'the alias map',
      ['GOP', 'the EU', 'U.N.', 'State Department', 'AL QAEDA', 'U.S. Department of State'],
      [
        'Republican Party',
        'European Union',
        'United Nations',
        'Department of State',
        'al-Qaeda',
        'Department of State',
      ],
    ],
    ['company forms', ['Waldo Inc.', 'Falk, Inc', 'Hana Co., Ltd.', 'Co'], ['Waldo', 'Falk', 'Hana', 'Co']],
    ['a possessive, but not of the name', ['Waldo’s', "McDonald's"], ['Waldo', "McDonald's"]],
    [
      'an acronym',
      ['Inter-Services Public Relations', 'ISPR'],
      Array<string>(2).fill('Inter-Services Public Relations'),
    ],
    ['an acronym with small words', ['Ministry of Truth', 'MOT'], ['Ministry of Truth', 'Ministry of Truth']],
    [
      'an acronym better known for another',
      ['International Cricket Council', 'ICC'],
      ['International Cricket Council', 'International Cricket Council'],
    ],
    ['one that is alone', ['ICC'], ['International Criminal Court']],
    ['explained in brackets', ['Bird Air', 'Bird Air (|BA'], ['Bird Air', 'Bird Air']],
    [
      'in another order',
      ['Italian Falk Caucus', 'the Italian Falk Caucus (|CFI'],
      Array<string>(2).fill('Italian Falk Caucus'),
    ],
    ['the beginning of one', ['Falkner Brothers', 'Falkner'], ['Falkner Brothers', 'Falkner Brothers']],
    ['the end of one', ['House Ethics Committee', 'Ethics Committee'], Array<string>(2).fill('House Ethics Committee')],
    ['its kind', ['Irving Police Council', 'Council'], ['Irving Police Council', 'Irving Police Council']],
    ['what it is of', ['Ministry of Truth', 'Ministry'], ['Ministry of Truth', 'Ministry of Truth']],
    [
      'in steps',
      ['Falkner Brothers Group', 'Falkner Brothers', 'Falkner'],
      Array<string>(3).fill('Falkner Brothers Group'),
    ],
    [
      'title case',
      ['Ministry Of Truth', 'Ministry of Truth', 'Ministry of Truth'],
      Array<string>(3).fill('Ministry of Truth'),
    ],
    ['U.S. before it', ['U.S. Senate', 'Senate'], ['United States Senate', 'United States Senate']],
  ])('%s', everyRow('ORG'))
})

describe('organisations: what stays apart', () => {
  it.each<CanonicalNamesRow>([
    ['an acronym of two', ['Blue Bird Air', 'Big Band Aid', 'BBA'], ['Blue Bird Air', 'Big Band Aid', 'BBA']],
    ['an acronym written small', ['Who', 'WHO'], ['Who', 'World Health Organization']],
    ['brackets with something else', ['Apple (|NASDAQ', 'Apple'], ['Nasdaq', 'Apple']],
    [
      'the beginning of two',
      ['Falkner Brothers', 'Falkner Bank', 'Falkner'],
      ['Falkner Brothers', 'Falkner Bank', 'Falkner'],
    ],
    ['a common beginning', ['National Bird Council', 'National'], ['National Bird Council', 'National']],
    ['a people', ['American Bird Council', 'American'], ['American Bird Council', 'American']],
    ['a place', ['Manchester Bird Council', 'Manchester'], ['Manchester Bird Council', 'Manchester']],
    ['a kind of two', ['Bird Council', 'Dog Council', 'Council'], ['Bird Council', 'Dog Council', 'Council']],
    [
      'another of the house',
      ['University of Falk', 'University of Falk Bird Club Choir'],
      ['University of Falk', 'University of Falk Bird Club Choir'],
    ],
    [
      'joined by and',
      ['Falk Council and Irving Police', 'Irving Police'],
      ['Falk Council and Irving Police', 'Irving Police'],
    ],
    ['a member of it', ['Republicans in Congress', 'Congress'], ['Republicans in Congress', 'Congress']],
    ['a court of no known country', ['Supreme Court', 'Senate'], ['Supreme Court', 'Senate']],
  ])('%s', everyRow('ORG'))

  it('a name that a person of the article bears', () => {
    const mentions = [
      { type: 'PERSON', surface: 'Ann Falkner' },
      { type: 'ORG', surface: 'Falkner Brothers' },
      { type: 'ORG', surface: 'Falkner' },
    ] as const

    expect(canonicalNames(mentions, places).map(({ name }) => name)).toEqual([
      'Ann Falkner',
      'Falkner Brothers',
      'Falkner',
    ])
  })
})

it('names places as the table does', () => {
  expect(names('GPE', 'U.S.', 'America', 'USA', 'UK', 'Washington, D.C.', 'Kiev', 'Britain’s')).toEqual([
    'United States',
    'United States',
    'United States',
    'United Kingdom',
    'Washington',
    'Kyiv',
    'United Kingdom',
  ])
})

it('says type and Wikidata id, and puts a fixed name’s type right', () => {
  expect(
    canonicalNames(
      [
        { type: 'GPE', surface: 'the White House' },
        { type: 'PERSON', surface: 'Merkel' },
        { type: 'EVENT', surface: 'Second World War' },
        { type: 'DATE', surface: 'the 3rd of May' },
      ],
      places,
    ),
  ).toEqual([
    { type: 'ORG', name: 'White House', wikidata_id: 'Q35525' },
    { type: 'PERSON', name: 'Angela Merkel', wikidata_id: 'Q567' },
    { type: 'EVENT', name: 'World War II', wikidata_id: 'Q362' },
    { type: 'DATE', name: 'the 3rd of May', wikidata_id: null },
  ])
})

it.each([
  ['U N', 'U.N.'],
  ['C. I. A.', 'C.I.A.'],
  ['A. E.', 'A.E.'],
])('an acronym that explains itself is looked up once: %s (%s)', (long, short) => {
  expect(names('ORG', long, `${long} (|${short}`)).toHaveLength(2)
})
