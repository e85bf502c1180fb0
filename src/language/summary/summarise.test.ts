import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aSummaryModel } from '../../../test/builders/summaries.ts'
import { summarise, type SummaryArticle } from './summarise.ts'

const model = aSummaryModel()

const by = (n: number, ...sentences: readonly string[]): SummaryArticle => ({
  ...{ article_id: `art_${n}`, title: null, sentences },
  published: Date.UTC(2016, 4, 4),
})

const CLOSES =
  'The council of Oslo voted on Tuesday to close the harbour bridge for two years of repairs over rusted cables, officials said.'
const CLOSES_AGAIN =
  'Officials said on Tuesday that the council of Oslo voted to close the harbour bridge for two years of repairs over rusted cables.'
const CABLES =
  'Engineers from Norway found 14 rusted cables in March, when Mayor Ada Quill of Oslo ordered an inspection of all steel.'
const FERRIES =
  'Until the bridge opens again, ferries will carry 9,000 passengers across the harbour of Oslo each day, Mayor Ada Quill told reporters on Tuesday.'
const HEADLINE = 'Oslo council closes harbour bridge over rusted cables'
const WEATHER = 'Sunshine and light winds are expected along most coasts of southern Norway through the weekend.'

describe('a summary', () => {
  it('says what articles have in common, once, what says most first', () => {
    const found = summarise([by(1, WEATHER, CLOSES), by(2, CLOSES_AGAIN, FERRIES), by(3, CABLES)], model, HEADLINE)

    expect(found).toHaveLength(3)
    expect(found.map(({ sentence }) => sentence)).not.toContain(WEATHER)
    expect(found.filter(({ sentence }) => [CLOSES, CLOSES_AGAIN].includes(sentence))).toHaveLength(1)
    expect([CLOSES, CLOSES_AGAIN]).toContain(found[0]?.sentence)
    const after = found.slice(1).map(({ article_id }) => article_id)
    expect(after).toEqual(after.toSorted())
  })

  it('says once who did what, however the sentences go on', () => {
    const one =
      'The council of Oslo closed the harbour bridge on Tuesday, a stunning turn for merchants who feared empty shops.'
    const same =
      'The council of Oslo closed the harbour bridge on Tuesday, two engineers with long experience in steel said.'

    expect(summarise([by(1, one), by(2, same)], model)).toHaveLength(1)
  })

  it('is shorter of one article, and nothing where nothing can be quoted', () => {
    const one = [by(1, CLOSES, CABLES, FERRIES, WEATHER)]

    expect(summarise(one, model)).toHaveLength(2)
    expect(summarise([by(1, 'Sign up.', 'No.')], model)).toEqual([])
    expect(summarise([], model)).toEqual([])
  })

  it('is about what the headline says', () => {
    const articles = [by(1, WEATHER, CABLES), by(2, FERRIES, CLOSES)]

    expect(summarise(articles, model, 'Rusted cables found in harbour bridge')[0]?.sentence).toBe(CABLES)
    expect(summarise(articles, model, 'Ferries carry passengers across the harbour')[0]?.sentence).toBe(FERRIES)
  })

  it('names nobody by one name before the whole name was there', () => {
    const stranger = 'Quill has since walked across the harbour bridge in Oslo to show that it can be used.'
    const whole = 'Ada Quill, the mayor of Oslo, ordered repairs of the harbour bridge after rusted cables were found.'
    const sentences = (...given: readonly SummaryArticle[]) => summarise(given, model).map(({ sentence }) => sentence)

    expect(sentences(by(1, CLOSES, stranger))).toEqual([CLOSES])
    expect(sentences(by(1, whole, stranger), by(2, CLOSES))).toContain(whole)
  })

  it('speaks of no bill and no ruling that was not named before', () => {
    const bill =
      'The bill, which Mayor Ada Quill of Oslo signed on Monday, has the bridge closed until May at a cost of 48 million dollars.'

    expect(summarise([by(1, CLOSES, bill)], model).map(({ sentence }) => sentence)).toEqual([CLOSES])
    expect(summarise([by(1, CLOSES, bill)], model, 'Bill on bridge passes').map(({ sentence }) => sentence)).toContain(
      bill,
    )
  })

  it('begins with a sentence that says when, of equals', () => {
    const undated = 'The council decided that the harbour bridge in Oslo will close for two years of repairs.'
    const dated = 'The council of Oslo closed ferries and the harbour bridge for repairs on Tuesday.'

    expect(summarise([by(1, undated), by(2, dated)], model)[0]?.sentence).toBe(dated)
  })

  it('prefers what has happened to what was still to come before the day of the headline', () => {
    const title = 'Council closes harbour bridge'
    const preview =
      'The council of Oslo is expected to vote on Tuesday on closing the harbour bridge, which has 14 rusted cables, Mayor Ada Quill said.'
    const firstOf = (published: number) =>
      summarise(
        [
          { ...by(1, preview), published },
          { ...by(2, WEATHER, CLOSES), title },
        ],
        model,
        title,
      )[0]?.sentence

    expect(firstOf(Date.UTC(2016, 4, 4))).toBe(preview)
    expect(firstOf(Date.UTC(2016, 4, 2))).toBe(CLOSES)
  })

  it('leaves a headline out that ran into the text', () => {
    const title = 'Harbour bridge in Oslo to close for two years'
    const joined = `${title} The council of Oslo decided on Tuesday that repairs of the bridge begin in May.`

    expect(summarise([{ ...by(1, joined, CABLES), title }], model).map(({ sentence }) => sentence)).toEqual([CABLES])
  })

  it('says which day a sentence means, where its article has a date', () => {
    const voted = 'On Tuesday the council of Oslo voted to close the harbour bridge for two years of repairs.'

    expect(summarise([by(1, voted)], model)[0]?.dates).toEqual([
      { text: 'Tuesday', start: '2016-05-03', end: '2016-05-03' },
    ])
    expect(summarise([{ ...by(1, voted), published: null }], model)[0]?.dates).toEqual([])
  })

  it('quotes nothing but what stands there', () => {
    const article = fc.array(fc.constantFrom(CLOSES, CLOSES_AGAIN, CABLES, FERRIES, WEATHER, 'No.', 'He said so.'))
    fc.assert(
      fc.property(fc.array(article, { maxLength: 5 }), (texts) => {
        const articles = texts.map((sentences, i) => by(i, ...sentences))
        const found = summarise(articles, model)

        expect(found.length).toBeLessThanOrEqual(3)
        for (const { article_id, sentence, sentence_index } of found) {
          const source = articles.find((one) => one.article_id === article_id)
          expect(source?.sentences[sentence_index]).toContain(sentence)
        }
        expect(summarise(articles, model)).toEqual(found)
      }),
    )
  })
})
