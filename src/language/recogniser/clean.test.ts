import { expect, it } from 'vitest'
import { cleanSpan } from './clean.ts'
import type { NameType } from './tags.ts'

function cleaned(sentence: string, type: NameType): string | null {
  const words = sentence.split(' ')
  const span = cleanSpan(words, { type, start: 0, end: words.length })
  return span === null ? null : words.slice(span.start, span.end).join(' ')
}

it.each<[string, NameType, string | null]>([
  ['President Donald Trump', 'PER', 'Donald Trump'],
  ['House Majority Leader Kevin McCarthy', 'PER', 'Kevin McCarthy'],
  ['National Security Adviser H . R . McMaster', 'PER', 'H . R . McMaster'],
  ['Sen . John McCain', 'PER', 'John McCain'],
  ['Prime Minister', 'PER', null],
  ['Trump ’ s', 'PER', 'Trump'],
  ['" Reuters ,', 'ORG', 'Reuters'],
  ['U . S .', 'LOC', 'U . S .'],
  ['French', 'LOC', null],
  ['Germans', 'LOC', null],
  ['French Guiana', 'LOC', 'French Guiana'],
  ['2016', 'EVENT', '2016'],
  ['Clinton campaign', 'EVENT', null],
  ['R - Wis .', 'ORG', null],
  ['" .', 'ORG', null],
  ['The', 'ORG', null],
  ['THE', 'ORG', null],
  ['This', 'PER', null],
  ['Who', 'ORG', null],
  ['WHO', 'ORG', 'WHO'],
  ['In The', 'ORG', null],
  ['May', 'PER', 'May'],
  ['He', 'PER', 'He'],
  ['COVID', 'ORG', null],
  ['Covid - 19', 'ORG', null],
  ['SARS - CoV - 2', 'ORG', null],
  ['Ebola virus', 'LOC', null],
  ['COVID - 19 Task Force', 'ORG', 'COVID - 19 Task Force'],
  ['Malaria Foundation', 'ORG', 'Malaria Foundation'],
  ['Midwestern', 'LOC', null],
  ['Midwestern University', 'ORG', 'Midwestern University'],
  ['Congressional', 'ORG', null],
  ['Second Amendment', 'ORG', null],
  ['Affordable Care Act', 'ORG', null],
  ['Act Now', 'ORG', 'Act Now'],
])('%s as %s is %s', (sentence, type, name) => {
  expect(cleaned(sentence, type)).toBe(name)
})

it('knows an account from a name', () => {
  expect(cleanSpan(['@', 'nytimes'], { type: 'ORG', start: 1, end: 2 })).toBeNull()
})
