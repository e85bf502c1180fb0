import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CUE_NAMES } from './cues.ts'
import { type EmbeddedText, WIDTHS } from './features.ts'
import { explicitStance, linearStance, type Head, type StanceLayer, type StanceWeights, STANCES } from './stance.ts'

it.each([
  'This is fake, the pool never closed',
  '@paper Hoax. Trams still run',
  'That never happened',
  'I don’t believe this for a second',
  'The minister is lying about the numbers',
  'This is not true, I live there',
])('hears a denial in so many words: %s', (text) => {
  expect(explicitStance(text)).toBe('deny')
})

it.each([
  'Confirmed, I saw it',
  '@paper Yes, the school is closed',
  'I fully agree with the minister',
  'It is true, the road is blocked',
  'Great decision by the council',
])('hears support in so many words: %s', (text) => {
  expect(explicitStance(text)).toBe('support')
})

it.each([
  'Is this true?',
  'Confirmed? By whom?',
  'It’s not a hoax, I was there',
  'Nobody confirmed it, yet it is said to be confirmed',
  'Yes, but no. Not confirmed',
  'So sad for the town',
  'lol',
  '',
])('hears neither where somebody asks, takes it back or says nothing of it: %s', (text) => {
  expect(explicitStance(text)).toBe(null)
})

const cue = (name: string): number => CUE_NAMES.indexOf(name)

/** All zero but those given as `[class, place, weight]`. */
const layer = (
  classes: number,
  width: number,
  given: readonly (readonly [number, number, number])[] = [],
): StanceLayer => {
  const weights = Array.from({ length: classes }, () => new Array<number>(width).fill(0))
  for (const [label, at, weight] of given) (weights[label] ?? [])[at] = weight
  return { bias: new Array<number>(classes).fill(0), weights }
}

const head = (cues: StanceLayer, vector: StanceLayer, costs: readonly number[]): Head => ({
  cues,
  vector,
  costs: [...costs],
})

const [SUPPORT, DENY, QUERY] = [0, 1, 2]
/** Those of headlines: support, deny, comment. */
const AGAINST = 1

/** Denial words deny and a question asks; a headline that denies what the claim does not is against it. */
const WEIGHTS: StanceWeights = {
  encoder: 'none',
  learned: ['a thread'],
  reply: head(
    layer(4, WIDTHS.reply, [
      [DENY, cue('denial'), 8],
      [QUERY, cue('question'), 12],
    ]),
    layer(4, WIDTHS.reply_vector, [[SUPPORT, 0, 3]]),
    [0, 0, 0, 0.5],
  ),
  headline: head(
    layer(3, WIDTHS.headline, [[AGAINST, cue('denial'), 8]]),
    layer(3, WIDTHS.headline_vector),
    [0.5, 0, 0],
  ),
  style: { ...layer(2, WIDTHS.style, [[1, cue('title_case'), 40]]), bias: [20, 0] },
}
const { stanceOf } = linearStance('test', WEIGHTS)

const said = (text: string, first = 0): EmbeddedText => ({
  text,
  vector: Float32Array.from({ length: 384 }, (_, i) => (i === 0 ? first : 0)),
})
const CLAIM = said('The bridge was closed')

it.each([
  ['that is a hoax', 'deny'],
  ['where?', 'query'],
  ['poor people', 'comment'],
])('a reply that says %j is of stance %s', (text, stance) => {
  expect(stanceOf({ post: said(text), parent: CLAIM, claim: CLAIM }).stance).toBe(stance)
})

it('the vector has a say', () => {
  expect(stanceOf({ post: said('poor people', 1), parent: CLAIM, claim: CLAIM }).stance).toBe('support')
})

it('a post that answers nobody is held against the headline as a headline where it is put like one', () => {
  const post = said('Mayor Opens Bridge To All')
  const spoken = said('the mayor opens it to all of us')

  expect(stanceOf({ post, parent: null, claim: CLAIM }).stance).toBe('support')
  expect(stanceOf({ post: spoken, parent: null, claim: CLAIM }).stance).toBe('comment')
})

it('a headline does not ask, a post does', () => {
  const { probabilities } = stanceOf({ post: said('Who Closed The Bridge In Ohio?'), parent: null, claim: CLAIM })

  expect(probabilities.query).toBeLessThan(0.01)
  expect(stanceOf({ post: said('really?'), parent: null, claim: CLAIM }).stance).toBe('query')
})

it('probabilities are not moved by what mistakes cost', () => {
  const { stance, probabilities } = stanceOf({ post: said('poor people'), parent: CLAIM, claim: CLAIM })

  expect(stance).toBe('comment')
  expect(probabilities).toEqual({ support: 0.25, deny: 0.25, query: 0.25, comment: 0.25 })
})

it('whatever is said to whatever, the probabilities are of all stances and together 1', () => {
  const anything = fc.string({ unit: 'binary', maxLength: 300 }).map((text) => said(text, 0.3))
  const maybe = fc.option(anything)

  fc.assert(
    fc.property(anything, maybe, maybe, (post, parent, claim) => {
      const { stance, probabilities } = stanceOf({ post, parent, claim })
      const chances = STANCES.map((name) => probabilities[name])

      expect(STANCES).toContain(stance)
      expect(chances.every((chance) => chance >= 0 && chance <= 1)).toBe(true)
      expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9)
    }),
  )
})

it('a text that has gone leaves a stance by its vector', () => {
  expect(stanceOf({ post: said('that is a hoax'), parent: said(''), claim: said('') }).stance).toBe('deny')
})
