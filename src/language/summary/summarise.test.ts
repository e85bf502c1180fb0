import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { summarise, type Weigh } from './summarise.ts'

const weigh: Weigh = (text) =>
  new Map(
    text
      .toLowerCase()
      .match(/[a-z]{4,}/g)
      ?.map((word) => [word, 1]),
  )

const CLOSES = 'The harbour bridge in Oslo will close for two years of repairs, the council decided on Tuesday.'
const CLOSES_AGAIN =
  'The council decided on Tuesday that the harbour bridge in Oslo will close for two years of repairs.'
const CABLES = 'Engineers found rusted cables in the harbour bridge in March, and the council ordered repairs.'
const FERRIES = 'Ferries will carry nine thousand passengers across the harbour each day until the bridge opens again.'
const WEATHER = 'Sunshine and light winds are expected along most coasts of southern Norway through the weekend.'

describe('a summary', () => {
  it('says what articles have in common, once, in their order', () => {
    const found = summarise(
      [
        { article_id: 'art_1', sentences: [WEATHER, CLOSES] },
        { article_id: 'art_2', sentences: [CLOSES_AGAIN, FERRIES] },
        { article_id: 'art_3', sentences: [CABLES] },
      ],
      weigh,
    )

    expect(found).toHaveLength(3)
    expect(found.map(({ sentence }) => sentence)).not.toContain(WEATHER)
    expect(found.filter(({ sentence }) => [CLOSES, CLOSES_AGAIN].includes(sentence))).toHaveLength(1)
    expect(found.map(({ article_id }) => article_id)).toEqual(found.map(({ article_id }) => article_id).toSorted())
  })

  it('is shorter of one article, and nothing where nothing can be quoted', () => {
    const one = [{ article_id: 'art_1', sentences: [CLOSES, CABLES, FERRIES, WEATHER] }]

    expect(summarise(one, weigh)).toHaveLength(2)
    expect(summarise([{ article_id: 'art_1', sentences: ['Sign up.', 'No.'] }], weigh)).toEqual([])
    expect(summarise([], weigh)).toEqual([])
  })

  it('quotes nothing but what stands there', () => {
    const article = fc.array(fc.constantFrom(CLOSES, CLOSES_AGAIN, CABLES, FERRIES, WEATHER, 'No.', 'He said so.'))
    fc.assert(
      fc.property(fc.array(article, { maxLength: 5 }), (texts) => {
        const articles = texts.map((sentences, i) => ({ article_id: `art_${i}`, sentences }))
        const found = summarise(articles, weigh)

        expect(found.length).toBeLessThanOrEqual(3)
        for (const { article_id, sentence, sentence_index } of found) {
          const source = articles.find((one) => one.article_id === article_id)
          expect(source?.sentences[sentence_index]).toContain(sentence)
        }
        expect(summarise(articles, weigh)).toEqual(found)
      }),
    )
  })
})
