import { z } from 'zod'
import { bodyOf } from '../language/body-text.ts'
import { languageOf } from '../language/language-of.ts'
import { asJsonLines, jsonLines, optionalText, textOf } from './labelled-file.ts'

const Line = z.object({ id: z.string(), language: optionalText, title: z.string(), text: z.string() })

interface LanguageScore {
  /** Number of articles with a labelled language. */
  readonly n: number
  /** Share of the labelled articles recognised by their title alone, 0 to 1. */
  readonly titles: number
  /** Share of the labelled articles recognised by title and text, 0 to 1. */
  readonly articles: number
  /** JSON lines in the order of the file. */
  readonly predictions: string
}

/** Accuracy of the recognised language of the articles of a JSONL file, optionally gzipped. */
export async function scoreLanguages(file: Buffer): Promise<LanguageScore> {
  const answered = await Promise.all(
    jsonLines(textOf(file), Line).map(async ({ id, language: gold, title, text }) => ({
      ...{ id, gold, ofTitle: await languageOf(title) },
      ofArticle: await languageOf(bodyOf(title, text) || text, title),
    })),
  )
  const labelled = answered.filter(({ gold }) => gold !== null)
  const share = (right: number): number => right / Math.max(1, labelled.length)
  return {
    n: labelled.length,
    titles: share(labelled.filter(({ gold, ofTitle }) => ofTitle === gold).length),
    articles: share(labelled.filter(({ gold, ofArticle }) => ofArticle === gold).length),
    predictions: asJsonLines(
      answered.map(({ id, ofTitle, ofArticle }) => ({ id, title_language: ofTitle, language: ofArticle })),
    ),
  }
}
