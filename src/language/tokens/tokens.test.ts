import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { A_REPORT } from '../../../test/builders/articles.ts'
import { aTokenReading } from '../../../test/builders/tokens.ts'
import { sentences, firstSentences } from '../sentences.ts'
import { polarity, MOST_TOKENS, tokensOf, rescaled } from './tokens.ts'
import { wordsAt } from './parts.ts'

const reading = aTokenReading()

const chosen = (title: string, body: string, language = 'en') =>
  tokensOf({ title, sentences: firstSentences(body, sentences(body), 920), language }, reading)
const texts = (title: string, body: string, language?: string): string[] =>
  chosen(title, body, language).map(({ token }) => token.text)
const token = (title: string, body: string, text: string) =>
  chosen(title, body).find(({ token }) => token.text === text)?.token

const A_VISIT =
  'Chancellor Angela Merkel met President Emmanuel Macron in Paris on Tuesday. Merkel and Macron spoke about the euro. ' +
  'The Supreme Court in Karlsruhe is to decide about the bonds, which Merkel had defended. "We will help," said Merkel.'

describe('the tokens of an article', () => {
  it('hold a person once, by the fullest name', () => {
    const found = texts('Merkel visits Macron', A_VISIT)

    expect(found.filter((text) => text.includes('Merkel'))).toEqual(['Angela Merkel'])
    expect(found.filter((text) => text.includes('Macron'))).toEqual(['Emmanuel Macron'])
  })

  it('know people, places and organisations', () => {
    expect(token('Merkel visits Macron', A_VISIT, 'Angela Merkel')).toMatchObject({
      entity_type: 'PERSON',
      pos_tag: 'PROPN',
    })
    expect(token('Merkel visits Macron', A_VISIT, 'Paris')).toMatchObject({ entity_type: 'GPE' })
    expect(token('Merkel visits Macron', A_VISIT, 'Supreme Court')).toMatchObject({ entity_type: 'ORG' })
  })

  it('keep a name of several words whole, also one that nobody knows', () => {
    expect(texts('', 'The vote on the Affordable Care Act was close in the end.')).toContain('Affordable Care Act')
  })

  it('tell the parts of speech', () => {
    const body = 'The engineers will inspect the wooden bridges with 12 drones.'
    const tags = Object.fromEntries(chosen('', body).map(({ token }) => [token.text, token.pos_tag]))

    expect(tags).toMatchObject({ engineers: 'NOUN', inspect: 'VERB', wooden: 'ADJ', bridges: 'NOUN', '12': 'NUM' })
  })

  it('hold no function words, weekdays, pronouns or contractions', () => {
    const found = texts("Why we don't know", `They said that it wasn't. ${A_REPORT}`).map((text) => text.toLowerCase())

    for (const light of ['the', 'of', 'it', "wasn't", "don't", 'that', 'said', 'tuesday', 'they', 'year', 'will'])
      expect(found).not.toContain(light)
  })

  it('hold a word and its plural once', () => {
    const found = texts('', 'The bridge is old. All bridges of the town are old, and each bridge is closed.')

    expect(found.filter((text) => text.startsWith('bridge'))).toEqual(['bridge'])
  })

  it('weigh a word of the title more', () => {
    const body = 'The arches were inspected. The harbour was inspected too.'

    expect(token('Harbour in danger', body, 'Harbour')?.importance).toBeGreaterThan(
      token('Arches in danger', body, 'harbour')?.importance ?? 1,
    )
  })

  it('weigh a rarer word more than a common one in its place', () => {
    const of = (word: string) => token('', `The ${word} was near the submarine.`, word)?.importance ?? 0

    expect(of('government')).toBeLessThan(of('tarantula'))
  })

  it('take their feeling from their sentence', () => {
    const body = 'A wonderful garden was opened. The terrible murder shocked Vienna. A tram arrived.'

    expect(token('', body, 'garden')?.context_sentiment).toBeGreaterThan(0.15)
    expect(token('', body, 'Vienna')?.context_sentiment).toBeLessThan(-0.15)
    expect(token('', body, 'tram')?.context_sentiment).toBe(0)
  })

  it('are X in other languages, but for names and numbers', () => {
    const found = chosen(
      '',
      'Der Stadtrat stimmte am Dienstag für die Sperrung der alten Brücke, 12 Bögen sind rissig.',
      'de',
    )
    const tags = new Map(found.map(({ token }) => [token.text, token.pos_tag]))

    expect(tags.get('rissig')).toBe('X')
    expect(tags.get('12')).toBe('NUM')
    expect([...tags.keys()]).not.toContain('der')
  })

  it('are words also where nobody writes blanks', () => {
    const found = texts('', '市议会周二投票决定关闭旧港大桥，进行两年维修。', 'zh')

    expect(found).toContain('投票')
    expect(found.every((text) => text.length > 1)).toBe(true)
  })

  it('are none in a text of signs', () => {
    expect(texts('!!!', '... 🎉🎉 --- ???')).toEqual([])
    expect(texts('', '')).toEqual([])
  })

  it('do not take the parts of an address or a handle for words', () => {
    expect(texts('', 'Write to tips@example.com or see https://example.com/a?b=c or ask @nytimes.')).toEqual(['Write'])
  })
})

const WORDS = [...new Set(`${A_REPORT} ${A_VISIT} O'Brien U.S. 3.5 10,000 don’t 東京 مدينة 👍 naïve I`.split(/\s+/))]
const someText = fc.array(fc.constantFrom(...WORDS, '\n\n', '. '), { maxLength: 150 }).map((words) => words.join(' '))
const anyText = fc.oneof(someText, fc.string({ unit: 'grapheme', maxLength: 300 }))

describe('whatever the text', () => {
  it('there are at most 24, different ones, with importances that fall from 1', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.constantFrom('en', 'de', 'zh', 'und'), (title, body, language) => {
        const tokens = chosen(title, body, language).map(({ token }) => token)
        const importances = tokens.map(({ importance }) => importance)

        expect(tokens.length).toBeLessThanOrEqual(MOST_TOKENS)
        expect(new Set(tokens.map(({ text }) => text.toLowerCase())).size).toBe(tokens.length)
        expect(importances).toEqual([...importances].sort((a, b) => b - a))
        expect(importances.every((each) => each > 0 && each <= 1)).toBe(true)
        if (tokens.length > 0) expect(importances[0]).toBe(1)
        expect(tokens.every(({ context_sentiment }) => Math.abs(context_sentiment) <= 1)).toBe(true)
      }),
    )
  })

  it('each stands where it says', () => {
    fc.assert(
      fc.property(anyText, anyText, (title, body) => {
        const spans = firstSentences(body, sentences(body), 920)
        for (const { token, term } of tokensOf({ title, sentences: spans, language: 'en' }, reading)) {
          const stands = (term.sentence < 0 ? title : (spans[term.sentence] ?? '')).slice(term.start, term.end)
          expect(stands.replace(/\s+/gu, ' ')).toBe(token.text)
        }
      }),
    )
  })

  it('blanks between the words change nothing', () => {
    fc.assert(
      fc.property(someText, fc.constantFrom('  ', '\n', ' \t '), (body, blank) => {
        const plain = body.replace(/\s+/g, ' ').trim()
        const tokens = (given: string) =>
          tokensOf({ title: 'Old bridge', sentences: [given], language: 'en' }, reading).map(({ token }) => token)

        expect(tokens(plain.replace(/ /g, blank))).toEqual(tokens(plain))
      }),
    )
  })
})

it('the first sentences end with the one that the limit falls into; letters of other scripts count as pieces', () => {
  const read = (text: string, limit: number) => firstSentences(text, sentences(text), limit)

  expect(read('One one. Two two. Three.', 10)).toEqual(['One one.', 'Two two.'])
  expect(read('Один. Два. Три.', 20)).toEqual(['Один.'])
  expect(read('One    one.    Two.', 7)).toEqual(['One    one.'])
  expect(read('', 10)).toEqual([])
})

it('what is left of the tokens begins with importance 1 again', () => {
  const tokens = chosen('', A_VISIT).map(({ token }) => token)

  expect(rescaled(tokens)).toEqual(tokens)
  expect(rescaled(tokens.slice(2))[0]?.importance).toBe(1)
  expect(rescaled([])).toEqual([])
})

it('a sentence feels as its words do, and not at all in another language', () => {
  expect(polarity(wordsAt('A great and happy day'), 'en')).toBeGreaterThan(polarity(wordsAt('A good day'), 'en'))
  expect(polarity(wordsAt('Die great day'), 'de')).toBe(0)
})
