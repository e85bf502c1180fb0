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

  it('are not found among reports in other words', () => {
    const [, found] = originsOf(inEnglish(printed(1, aText('another'))), translated(2, text))

    expect(found).toMatchObject({ derived_from: null, translation: null })
  })
})
