import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { genreOf, type GenreModel } from '../language/genre/genre.ts'
import { learnedScore, type LearnedMeasure } from './macro-score.ts'
import { GENRES, type Genre } from '../events/articles.ts'
import { sha256 } from '../events/ids.ts'
import { bodyOf } from '../language/body-text.ts'
import type { GenreText } from '../language/genre/cues.ts'
import { languageOf } from '../language/language-of.ts'
import { projectPath } from '../config/project-path.ts'
import { asJsonLines, jsonLines, optionalText, textOf } from './labelled-file.ts'

/** Accuracy and F1 of the predicted genres of the articles of a file, and the predictions. */
export async function scoreGenres(file: string, model: GenreModel): Promise<LearnedMeasure> {
  const articles = await genreArticles(file)
  const answered = articles.map((article) => ({ ...article, answer: genreOf(article, model) }))
  const judged = answered.flatMap(({ genre, answer, learned }) =>
    genre === null ? [] : [{ gold: genre, answer, isLearned: learned !== null }],
  )
  return {
    ...learnedScore(judged),
    predictions: asJsonLines(answered.map(({ id, answer }) => ({ id, genre: answer }))),
  }
}

/** An article with its judged genre, if there is one. */
export interface GenreArticle extends GenreText {
  readonly id: string
  /** The judged genre; `null` if the article was not judged, or only for training. */
  readonly genre: Genre | null
  /** The label that `models/genre/train.ts` trains on; `null` if the article is not used for training. */
  readonly learned: Genre | null
  /** The annotator hesitated between two genres. */
  readonly unsure: boolean
  /** `uniform`: sampled at random; `enriched`: sampled so that rare genres occur. */
  readonly sample: string
  /** 0 to 4. All articles of an outlet share a fold, so that no outlet is used both for training and for measuring. */
  readonly fold: number
}

const FOLDS = 5
/** Labels for measuring; never used for training. */
const MEASURED = 'models/clustering/labels/genre.jsonl'
/** Labels for training, except for the articles in `MEASURED`. */
const LEARNED = 'models/clustering/labels/weeks.jsonl'

const Line = z.object({
  id: z.string(),
  url: optionalText,
  title: optionalText,
  source: optionalText,
  author: optionalText,
  text: optionalText,
  genre: z.enum(GENRES).nullish(),
})

const Label = z.object({ id: z.string(), genre: z.enum(GENRES), unsure: z.boolean(), sample: z.string() })
const WeekLabel = z.object({ id: z.string(), genre: z.enum(GENRES) })

/**
 * Reads the articles of a JSONL file, optionally gzipped. If a line has no `genre`, the project's own labels are looked
 * up by its id.
 */
export function genreArticles(file: string): Promise<GenreArticle[]> {
  const measured = new Map(labelsOf(MEASURED, Label).map((label) => [label.id, label]))
  const learned = new Map(labelsOf(LEARNED, WeekLabel).map(({ id, genre }) => [id, genre]))
  const articles = jsonLines(textOf(readFileSync(file)), Line).map(async (line) => {
    const { genre, unsure, sample } = measured.get(line.id) ?? UNLABELLED
    return {
      ...(await articleOf(line)),
      ...{ genre: line.genre ?? genre, unsure, sample },
      learned: measured.has(line.id) ? null : (learned.get(line.id) ?? null),
    }
  })
  return Promise.all(articles)
}

const labelsOf = <Row>(file: string, row: z.ZodType<Row>): Row[] =>
  jsonLines(textOf(readFileSync(projectPath(file))), row)

const UNLABELLED = { genre: null, unsure: false, sample: 'uniform' } as const

async function articleOf({ id, url, title, source, author, text: whole }: z.infer<typeof Line>) {
  const body = bodyOf(title, whole ?? '')
  return {
    ...{ id, url, title, source, author, body, language: await languageOf(body, title ?? '') },
    fold: sha256(`genre ${source ?? id}`).readUInt32BE(0) % FOLDS,
  }
}
