import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  aClusterer,
  aFlush,
  inEnglish,
  inOrder,
  inOtherWords,
  live,
  madeUpReport,
  storiesOf,
} from '../../../test/builders/clustered.ts'
import type { ArticleAnalyzed } from '../../events/articles.ts'

const english = (event: number, outlet: number, day = 0): ArticleAnalyzed =>
  inEnglish(madeUpReport({ event, outlet, day }))
const foreign = (event: number, outlet: number, day = 0): ArticleAnalyzed =>
  inOtherWords(madeUpReport({ event, outlet, day }))

/** The story of each article, after the last rebuild. */
function storiesAfter(articles: readonly ArticleAnalyzed[]): readonly (string | undefined)[] {
  const { events } = live(aClusterer(), [...inOrder(articles), aFlush(articles.length)])
  const stories = storiesOf(events)
  return articles.map(({ article_id }) => stories.get(article_id))
}

const distinct = (stories: readonly unknown[]): number => new Set(stories).size

describe('stories across languages', () => {
  it('puts reports of one event in two languages into one story, whichever comes first', () => {
    const [a, b] = [english(0, 1), foreign(0, 2)]

    expect(distinct(storiesAfter([a, b]))).toBe(1)
    expect(distinct(storiesAfter([b, a]))).toBe(1)
  })

  it('puts reports in a language other than English into one story', () => {
    expect(distinct(storiesAfter([foreign(2, 1), foreign(2, 2), foreign(2, 3)]))).toBe(1)
  })

  it('keeps reports of different events apart', () => {
    const articles = [english(0, 1), foreign(0, 2), english(1, 3), foreign(1, 4), foreign(2, 5), english(3, 6)]
    const [a, b, c, d, e, f] = storiesAfter(articles)

    expect([a === b, c === d]).toEqual([true, true])
    expect(distinct([a, c, e, f])).toBe(4)
  })

  it('says that an article joined across languages, and how alike the titles are', () => {
    const { events } = live(aClusterer(), inOrder([english(0, 1), foreign(0, 1)]))
    const { rule, chosen } = events.at(-1)?.decision ?? {}

    expect(rule).toBe('link')
    expect(chosen?.features).toMatchObject({ best_cross: 1, 'cross.pairs': 1 })
    expect(chosen?.features['cross.title_cosine']).toBeCloseTo(1, 2)
  })

  it('does not join two stories in English by an article in another language that is near both', () => {
    const [one, other] = [english(0, 1), english(1, 2)]
    const bridge = inOtherWords({
      ...one,
      title: `${one.title ?? ''} ${other.title ?? ''}`,
      text: `${one.text} ${other.text}`,
    })
    const apart = [english(0, 3), english(0, 4), english(1, 5), english(1, 6)]
    const [a, b] = storiesAfter([one, other, bridge, ...apart])

    expect(a).not.toBe(b)
  })

  it('decides about articles in English as if there were no other languages', () => {
    const articles = Array.from({ length: 24 }, (_, i) => madeUpReport({ event: i % 6, outlet: i, day: i % 4 }))
    const decided = (given: readonly ArticleAnalyzed[]) =>
      live(aClusterer(), [...inOrder(given), aFlush(given.length)]).events.map(({ decision, cluster_id, change }) => ({
        ...{ decision, cluster_id, change },
      }))

    expect(decided(articles.map(inEnglish))).toEqual(decided(articles))
  })

  it('decides about articles in English as before among many unrelated stories in other languages', () => {
    const articles = Array.from({ length: 12 }, (_, i) => english(i % 4, i, i % 3))
    const strange = (i: number): ArticleAnalyzed => {
      const words = Array.from({ length: 9 }, (__, word) => `zorb${i}quilm${word}`).join(' ')
      return inOtherWords({
        ...madeUpReport({ event: i, outlet: i, day: i % 3 }),
        title: words,
        text: `${words} ${i}.`,
      })
    }
    const among = articles.flatMap((article, i) => [...[0, 1, 2, 3].map((k) => strange(4 * i + k)), article])

    const alone = storiesAfter(articles)
    const stories = storiesAfter(among)
    expect(among.flatMap((article, i) => (article.language === 'en' ? [stories[i]] : []))).toEqual(alone)
    expect(distinct(stories)).toBe(distinct(alone) + 48)
  })

  it('lets an article in English join its story however many translations that has', () => {
    const translations = Array.from({ length: 70 }, (_, i) => foreign(0, i + 2))
    const [first, ...others] = storiesAfter([english(0, 1), ...translations, english(0, 90), english(1, 91)])

    expect(others.at(-2)).toBe(first)
    expect(others.at(-1)).not.toBe(first)
  })

  it('never puts two articles in English together that are apart without articles in other languages', () => {
    const some = fc.array(fc.record({ event: fc.nat(4), isEnglish: fc.boolean(), other: fc.nat(4) }), { maxLength: 30 })
    fc.assert(
      fc.property(some, (given) => {
        const articles = given.map(({ event, isEnglish, other }, i) => {
          if (isEnglish) return english(event, i, i % 3)
          const [one, two] = [
            madeUpReport({ event, outlet: i, day: i % 3 }),
            madeUpReport({ event: other, outlet: i, day: 0 }),
          ]
          return inOtherWords({
            ...one,
            title: `${one.title ?? ''} ${two.title ?? ''}`,
            text: `${one.text} ${two.text}`,
          })
        })
        const own = articles.filter(({ language }) => language === 'en')
        const alone = new Map(storiesAfter(own).map((story, i) => [own[i], story]))
        const mixed = new Map(storiesAfter(articles).map((story, i) => [articles[i], story]))

        for (const one of own) {
          for (const other of own) {
            if (alone.get(one) !== alone.get(other)) expect(mixed.get(one)).not.toBe(mixed.get(other))
          }
        }
      }),
      { numRuns: 15 },
    )
  })

  it('compares an article that was stored without such vectors by the rules for English', () => {
    const [stored, arriving] = [madeUpReport({ event: 0, outlet: 1, day: 0 }), foreign(0, 2)]

    expect(distinct(storiesAfter([stored, arriving]))).toBe(2)
  })
})
