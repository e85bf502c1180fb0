import { expect, it } from 'vitest'
import { cleanSpan, isNeverName, isInWorkTitle } from './clean.ts'
import type { NameType } from './tags.ts'
import { words } from './words.ts'

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

const never = (name: string, isPerson = false) => isNeverName(name.split(' '), isPerson)

it('knows words of closed classes, in any case that is not another name', () => {
  expect(['The', 'the', 'THE', 'This', 'Its', 'Where', 'In The'].map((name) => never(name))).toEqual(
    Array<boolean>(7).fill(true),
  )
  expect(['WHO', 'IT', 'US', 'May', 'The Hague'].map((name) => never(name))).toEqual(Array<boolean>(5).fill(false))
})

it('leaves family names that are written like a pronoun', () => {
  expect(['He', 'An', 'So'].map((name) => never(name, true))).toEqual([false, false, false])
  expect(never('The', true)).toBe(true)
})

it('knows illnesses, but not the bodies that are named after one', () => {
  expect(['COVID', 'Covid - 19', 'H1N1', 'Zika virus', 'SARS - CoV - 2'].map((name) => never(name))).toEqual(
    Array<boolean>(5).fill(true),
  )
  expect(['Malaria Consortium', 'American Cancer Society'].map((name) => never(name))).toEqual([false, false])
})

function isTitle(sentence: string, name: string): boolean {
  const { texts } = words(sentence, 0, sentence.length)
  const parts = words(name, 0, name.length).texts
  const start = texts.findIndex((_, i) => parts.every((part, j) => texts[i + j] === part))
  return isInWorkTitle(texts, { type: 'PER', start, end: start + parts.length })
}

it.each([
  ['He praised the film “Hillary’s America: The Secret History of the Democratic Party.”', 'Hillary'],
  ['The 2008 documentary "Hillary: The Movie" was at issue.', 'Hillary'],
  ['"Being John Malkovich" is a film about fame.', 'John Malkovich'],
  ["Dinesh D'Souza's movie Hillary's America opened on Friday.", 'Hillary'],
  ['The documentary Hillary: The Movie was at issue.', 'Hillary'],
])('in %s nobody is meant', (sentence, name) => {
  expect(isTitle(sentence, name)).toBe(true)
})

it.each([
  ['The film was praised by Hillary Clinton on Friday.', 'Hillary Clinton'],
  ['"Hillary Clinton liked the film," she said.', 'Hillary Clinton'],
  ['A movie about "Hillary Clinton" is planned.', 'Hillary Clinton'],
  ['He calls her "Crooked Hillary" at rallies.', 'Hillary'],
  ["The book upset Clinton's aides.", 'Clinton'],
])('in %s somebody is', (sentence, name) => {
  expect(isTitle(sentence, name)).toBe(false)
})
