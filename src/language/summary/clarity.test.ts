import { expect, it } from 'vitest'
import { aSummaryModel } from '../../../test/builders/summaries.ts'
import { clarity, clarityCues, parseClarityModel, type PlacedSentence } from './clarity.ts'

const { weigh, clarity: model } = aSummaryModel()
const HEADLINE = 'Oslo council closes harbour bridge over rusted cables'

function placed(sentence: string, over: Partial<PlacedSentence> = {}): PlacedSentence {
  const headlineTerms = weigh(HEADLINE)
  const terms = weigh(sentence)
  const unread = { read: HEADLINE, readTerms: headlineTerms, headlineTerms }
  return { sentence, terms, before: 0, ...unread, isOfHeadline: false, isOfFirst: false, ...over }
}

const VOTED =
  'Mayor Ada Quill said on Tuesday that the council of Oslo voted to close the harbour bridge over rusted cables.'

it.each([
  ['what leans on a sentence before it', `But ${VOTED}`],
  ['a day that is not named', VOTED.replace(' on Tuesday', '')],
  ['another matter', VOTED.replace(/close .*/u, 'raise the price of school meals by a tenth.')],
  ['a stranger', VOTED.replace('Mayor Ada Quill', 'Quill')],
])('%s makes an opening less clear', (_, worse) => {
  expect(clarity(placed(worse), model.opening)).toBeLessThan(clarity(placed(VOTED), model.opening))
})

it('an opening is clearer at the beginning of its article, and in the article of the headline', () => {
  const clear = clarity(placed(VOTED), model.opening)

  expect(clarity(placed(VOTED, { before: 4 }), model.opening)).toBeLessThan(clear)
  expect(clarity(placed(VOTED, { isOfHeadline: true }), model.opening)).toBeGreaterThan(clear)
})

it('is a probability, and every cue has its weight', () => {
  for (const layer of Object.values(model)) {
    expect(Object.keys(clarityCues(placed(VOTED)))).toEqual(Object.keys(layer.cues))
    expect(clarity(placed(VOTED), layer)).toBeGreaterThan(0)
    expect(clarity(placed(VOTED), layer)).toBeLessThan(1)
  }
})

it('a file that is no model is refused', () => {
  expect(() => parseClarityModel('{"opening":{"bias":0}}')).toThrow(/cues/u)
})
