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

/** Accuracy and F1 of the genres found in the articles of a file, and the genre of every article. */
export function scoreGenres(file: string, model: GenreModel): LearnedMeasure {
  const answered = genreArticles(file).map((article) => ({ ...article, answer: genreOf(article, model) }))
  const judged = answered.flatMap(({ genre, answer, learned }) =>
    genre === null ? [] : [{ gold: genre, answer, isLearned: learned !== null }],
  )
  return {
    ...learnedScore(judged),
    predictions: asJsonLines(answered.map(({ id, answer }) => ({ id, genre: answer }))),
  }
}

/** An article whose genre somebody may have judged. */
export interface GenreArticle extends GenreText {
  readonly id: string
  /** The judged genre; null: nobody judged it, or only for training. */
  readonly genre: Genre | null
  /** What `models/genre/train.ts` learns of it; null: the article is not learned from. */
  readonly learned: Genre | null
  /** The reader hesitated between two genres. */
  readonly unsure: boolean
  /** `uniform`: drawn at random; `enriched`: drawn so that rare genres occur. */
  readonly sample: string
  /** 0 to 4, the same for all articles of an outlet: what is learned of an outlet is not measured on it. */
  readonly fold: number
}

const FOLDS = 5
/** Measured with, and never learned from. */
const MEASURED = 'models/clustering/labels/genre.jsonl'
/** Learned from, but for the articles that are measured with. */
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

/** Articles of a JSONL file (also gzip); where a line has no `genre`, the project's own labels are looked up by its id. */
export function genreArticles(file: string): GenreArticle[] {
  const measured = new Map(labelsOf(MEASURED, Label).map((label) => [label.id, label]))
  const learned = new Map(labelsOf(LEARNED, WeekLabel).map(({ id, genre }) => [id, genre]))
  return jsonLines(textOf(readFileSync(file)), Line).map((line) => {
    const { genre, unsure, sample } = measured.get(line.id) ?? UNLABELLED
    return {
      ...articleOf(line),
      ...{ genre: line.genre ?? genre, unsure, sample },
      learned: measured.has(line.id) ? null : (learned.get(line.id) ?? null),
    }
  })
}

const labelsOf = <Row>(file: string, row: z.ZodType<Row>): Row[] =>
  jsonLines(textOf(readFileSync(projectPath(file))), row)

const UNLABELLED = { genre: null, unsure: false, sample: 'uniform' } as const

function articleOf({ id, url, title, source, author, text: whole }: z.infer<typeof Line>) {
  const body = bodyOf(title, whole ?? '')
  return {
    ...{ id, url, title, source, author, body, language: languageOf(body || (title ?? '')) },
    fold: sha256(`genre ${source ?? id}`).readUInt32BE(0) % FOLDS,
  }
}
