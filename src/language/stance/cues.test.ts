import { expect, it } from 'vitest'
import { saidWords } from './cues.ts'

it.each([
  ['“@BBCNews: Bridge down in Ohio” not true', 'not true'],
  ['Awful. RT @BBCNews: Bridge down in Ohio', 'Awful.'],
  ['> Bridge down in Ohio\nno it is not', 'no it is not'],
])('what is passed on in %j is not said by its author', (text, own) => {
  const said = saidWords(text)

  expect(said.own).toBe(own)
  expect(said.quotes).toBe(true)
  expect([...said.content]).toContain('bridge')
})

it('a quotation without the name of somebody is what the author says', () => {
  expect(saidWords('He said "never" twice')).toMatchObject({ own: 'He said "never" twice', quotes: false })
})

it('links, names of those addressed and signs of hashtags are not said', () => {
  const { own, words, content, numbers } = saidWords(
    '@one u/two Don’t panic: #Bridge 12 down https://example.org/a?b=12',
  )

  expect(own).toBe("Don't panic: Bridge 12 down")
  expect(words).toEqual(["don't", 'panic', 'bridge', '12', 'down'])
  expect([...content]).toEqual(['panic', 'bridge', '12', 'down'])
  expect([...numbers]).toEqual(['12'])
})

it('of a long text the beginning is read', () => {
  expect(saidWords('no '.repeat(100_000)).words.length).toBeLessThan(700)
})
