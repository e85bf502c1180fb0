import { genreOf, type GenreModel } from '../language/genre/genre.ts'
import { genreArticles } from './genre-articles.ts'
import { macroScore, type MacroScore } from './sentiment-score.ts'

export interface GenreMeasure {
  /** Articles somebody judged; null: the file has none. */
  readonly n: number | null
  readonly score: MacroScore
  /** Share of them whose label the model was learned from, 0 to 1: they flatter it. */
  readonly learned: number
  /** JSONL `{"id","genre"}`: of every article in the file's order. */
  readonly predictions: string
}

/** Accuracy and F1 of the genres found in the articles of a file. */
export function scoreGenres(file: string, model: GenreModel): GenreMeasure {
  const answered = genreArticles(file).map((article) => ({ ...article, answer: genreOf(article, model) }))
  const judged = answered.flatMap(({ genre, answer, learned }) => (genre === null ? [] : [{ genre, answer, learned }]))
  return {
    n: judged.length === 0 ? null : judged.length,
    score: macroScore(
      judged.map(({ genre }) => genre),
      judged.map(({ answer }) => answer),
    ),
    learned: judged.filter(({ learned }) => learned !== null).length / Math.max(1, judged.length),
    predictions: answered.map(({ id, answer }) => `${JSON.stringify({ id, genre: answer })}\n`).join(''),
  }
}
