import { expect, it } from 'vitest'
import { isInWorkTitle } from './work-titles.ts'
import { words } from './words.ts'

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
