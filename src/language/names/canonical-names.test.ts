import { describe, expect, it } from 'vitest'
import type { EntityType } from '../../events/articles.ts'
import { openRecogniser } from '../recogniser/open.ts'
import { canonicalNames } from './canonical-names.ts'

const { places } = openRecogniser()
const names = (type: EntityType, ...surfaces: string[]): string[] =>
  canonicalNames(
    surfaces.map((surface) => ({ type, surface })),
    places,
  )

describe('persons', () => {
  it.each<[string, string[], string[]]>([
    ['a surname is its one bearer', ['Angela Merkel', 'Merkel'], ['Angela Merkel', 'Angela Merkel']],
    ['titles and possessives go', ['Mr. Ryan’s', 'Paul Ryan'], ['Paul Ryan', 'Paul Ryan']],
    ['two bearers stay apart', ['Andrew McCabe', 'Jill McCabe', 'McCabe'], ['Andrew McCabe', 'Jill McCabe', 'McCabe']],
    ['a first name is its one bearer', ['Theresa May', 'Theresa'], ['Theresa May', 'Theresa May']],
    ['a short first name', ['James Mattis', 'Jim Mattis', 'Mattis'], ['James Mattis', 'James Mattis', 'James Mattis']],
    ['a well-known surname alone', ['Trump'], ['Donald Trump']],
    ['unless another is named', ['Ivanka Trump', 'Trump'], ['Ivanka Trump', 'Ivanka Trump']],
    [
      'among several the well-known one',
      ['Ivanka Trump', 'Eric Trump', 'Trump'],
      ['Ivanka Trump', 'Eric Trump', 'Donald Trump'],
    ],
    ['never by a first word', ['Trump Will Have Blood', 'Trump'], ['Trump Will Have Blood', 'Donald Trump']],
    ['initials where both forms stand', ['John Q. Adams', 'John Adams'], ['John Adams', 'John Adams']],
    ['initials that tell two apart', ['George W. Bush', 'George H.W. Bush'], ['George W. Bush', 'George H.W. Bush']],
    ['suffixes', ['Martin King Jr.', 'King'], ['Martin King Jr.', 'Martin King Jr.']],
    ['an alias', ['Donald J. Trump', 'Hillary Rodham Clinton'], ['Donald Trump', 'Hillary Clinton']],
    ['shouting', ['CORBYN', 'Corbyn'], ['Corbyn', 'Corbyn']],
  ])('%s', (_, surfaces, expected) => {
    expect(names('PERSON', ...surfaces)).toEqual(expected)
  })
})

describe('organisations', () => {
  it.each<[string, string[], string[]]>([
    [
      'the alias map',
      ['GOP', 'the EU', 'U.N.', 'State Department'],
      ['Republican Party', 'European Union', 'United Nations', 'Department of State'],
    ],
    ['company forms', ['Facebook Inc.', 'Apple, Inc', 'Co'], ['Facebook', 'Apple', 'Co']],
    [
      'an acronym of one name',
      ['Inter-Services Public Relations', 'ISPR'],
      ['Inter-Services Public Relations', 'Inter-Services Public Relations'],
    ],
    [
      'an acronym of two names stays',
      ['Blue Bird Air', 'Big Band Aid', 'BBA'],
      ['Blue Bird Air', 'Big Band Aid', 'BBA'],
    ],
  ])('%s', (_, surfaces, expected) => {
    expect(names('ORG', ...surfaces)).toEqual(expected)
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
