import { expect, it } from 'vitest'
import { checkedAdditions, checkedName, checkedRegions, checkedYes } from './answers.ts'

it('a name is one line, and is not the value that means no key', () => {
  expect(checkedName('  Harbour desk ')).toBe('Harbour desk')
  for (const text of ['', ' ', 'off', 'two\nlines', 'x'.repeat(81)]) expect(() => checkedName(text)).toThrow(/^name /)
})

it('regions are separated by commas or spaces, each once', () => {
  expect(checkedRegions('europe, asia europe', ['asia', 'europe'])).toEqual(['europe', 'asia'])
  expect(checkedRegions('none', ['asia', 'europe'])).toEqual([])
  expect(() => checkedRegions('none,asia', ['asia'])).toThrow('no region "none": expected asia or none')
  expect(() => checkedRegions(' ', ['asia'])).toThrow('no region ""')
})

it('additions are addresses and files', () => {
  expect(checkedAdditions('https://a.example/f ./mine.opml')).toEqual({
    feeds: ['https://a.example/f'],
    opml: ['./mine.opml'],
  })
  expect(checkedAdditions('')).toEqual({ feeds: [], opml: [] })
  expect(() => checkedAdditions('https://me:secret@a.example/f')).toThrow('user name or password')
})

it('an empty answer is the default', () => {
  expect([checkedYes('', 'yes'), checkedYes('', 'no'), checkedYes('Y', 'no'), checkedYes('no', 'yes')]).toEqual([
    ...[true, false, true, false],
  ])
  expect(() => checkedYes('maybe', 'yes')).toThrow('expected y or n')
})
