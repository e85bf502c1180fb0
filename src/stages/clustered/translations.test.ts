import { describe, expect, it } from 'vitest'
import {
  aClusterer,
  aReport,
  inEnglish,
  inOrder,
  inOtherWords,
  live,
  madeUpReport,
} from '../../../test/builders/clustered.ts'
import type { ArticleAnalyzed } from '../../events/articles.ts'
import { seeded } from '../../quality/seeded-random.ts'
import { sentences } from '../../language/sentences.ts'

/** Ten sentences with 3 to 20 words, and three numerals. Each `about` gives others. */
function aText(about: string): string {
  const random = seeded(about)
  const words = ['harbour', 'union', 'strike', 'minister', 'dock', 'workers', 'talks', 'wages']
  return Array.from({ length: 10 }, (_, i) => {
    const some = Array.from({ length: 3 + Math.floor(random() * 18) }, () => words[Math.floor(random() * 8)] ?? '')
    return `They ${some.join(' ')}${i % 4 === 1 ? ` ${Math.floor(random() * 900) + 13} times` : ''}.`
  }).join(' ')
}

function printed(outlet: number, text: string): ArticleAnalyzed {
  const report = madeUpReport({ event: 0, outlet, day: 0 })
  return aReport({ ...report, text, sentences: sentences(text).map((span) => ({ ...span, sentiment_score: 0 })) })
}

/** The same report in another language, whose words are as long. */
function translated(outlet: number, text: string): ArticleAnalyzed {
  const original = printed(outlet, text)
  return { ...inOtherWords(original), sentences: original.sentences }
}

const originsOf = (...articles: ArticleAnalyzed[]) =>
  live(aClusterer(), inOrder(articles)).events.map(({ origin }) => origin)

describe('translations', () => {
  const text = aText('strike')

  it('derive from the article of their story whose text they translate, with the evidence', () => {
    const [original, other] = [inEnglish(printed(1, text)), inEnglish(printed(2, aText('another')))]
    const [, , found] = originsOf(original, other, translated(3, text))

    expect(found).toMatchObject({
      duplicate_of: null,
      derived_from: original.article_id,
      translation: { length_distance: 0, sentences: 10, shared_numerals: 3, numerals: 3 },
    })
  })

  it('are found after a restart', () => {
    const original = inEnglish(printed(1, text))
    const stage = aClusterer()
    const { entries } = live(stage, inOrder([original]))
    const restored = entries.reduce((state, entry) => stage.memory.evolve(state, entry), stage.memory.empty())
    const { events } = live(stage, inOrder([translated(2, text)]), { state: restored })

    expect(events[0]?.origin).toMatchObject({ derived_from: original.article_id })
  })

  it('are no independent reports, in whichever order they arrive', () => {
    const [first, second] = [translated(1, text), inEnglish(printed(2, text))]

    expect(originsOf(first, second)[1]).toMatchObject({ derived_from: first.article_id })
  })

  it('stay translations when they are revised, and an original never becomes one', () => {
    const [original, copy] = [inEnglish(printed(1, text)), translated(2, text)]
    const revised = (article: ArticleAnalyzed): ArticleAnalyzed => ({
      ...article,
      title: `${article.title ?? ''} again`,
      content_hash: `${article.content_hash}2`,
      event_id: `${article.event_id}2`,
    })
    const [, , first, second, third] = originsOf(original, copy, revised(original), revised(copy), {
      ...revised(original),
      content_hash: 'third',
    })

    expect(first).toMatchObject({ derived_from: null, translation: null })
    expect(second).toMatchObject({ derived_from: original.article_id })
    expect(third).toMatchObject({ derived_from: null, translation: null })
  })

  it('are found behind many reports in their own language', () => {
    const original = inEnglish(printed(0, text))
    const inWordsOf = (i: number): string =>
      aText(`report ${i}`).replace(
        /[a-z]+/g,
        (word) => word + String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26)),
      )
    const others = Array.from({ length: 40 }, (_, i) => translated(i + 1, inWordsOf(i)))
    const found = originsOf(original, ...others, translated(80, text)).at(-1)

    expect(found).toMatchObject({ derived_from: original.article_id })
  })

  it('are not looked for in texts whose language is not known', () => {
    const [, found] = originsOf(inEnglish(printed(1, text)), { ...translated(2, text), language: 'und' })

    expect(found).toMatchObject({ translation: null })
  })

  it('are not found among reports in other words', () => {
    const [, found] = originsOf(inEnglish(printed(1, aText('another'))), translated(2, text))

    expect(found).toMatchObject({ derived_from: null, translation: null })
  })
})
