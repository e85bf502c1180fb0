import { writeFileSync } from 'node:fs'
import { GENRES, type Genre } from '../../src/events/articles.ts'
import { genreCues, genreOf, parseGenreModel, type GenreLayer } from '../../src/language/genre/genre.ts'
import { projectPath } from '../../src/project-path.ts'
import { genreArticles, type GenreArticle } from '../../src/quality/genre-articles.ts'
import { macroScore } from '../../src/quality/sentiment-score.ts'
import { fit } from '../stance/fit.ts'

/**
 * Learns `weights.json` from labelled articles and prints what five-fold cross-validation says of it:
 *
 *     npx tsx models/genre/train.ts ALLSIDES.jsonl.gz
 *
 * The labels are those of `models/clustering/labels/genre.jsonl`.
 */
const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: train.ts ALLSIDES.jsonl.gz')

/** Half of it times each squared weight is added to the loss. */
const PENALTY = 1
type Labelled = GenreArticle & { readonly genre: Genre }
const articles = genreArticles(file).filter((one): one is Labelled => one.genre !== null)
const LAYERS: readonly GenreLayer[] = ['text', 'headline']

for (const layer of LAYERS) report(layer)
writeFileSync(
  projectPath('models/genre/weights.json'),
  `${JSON.stringify(Object.fromEntries(LAYERS.map((layer) => [layer, learn(articles, layer)])), null, 1)}\n`,
)

/** What a layer learns from some articles, as `parseGenreModel` reads it. */
function learn(some: readonly Labelled[], layer: GenreLayer) {
  const cues = some.map((article) => genreCues(article, layer))
  const names = [...(cues[0]?.keys() ?? [])]
  const samples = some.map(({ genre }, i) => ({
    row: names.map((name) => cues[i]?.get(name) ?? 0),
    label: GENRES.indexOf(genre),
    weight: 1,
  }))
  const { bias, weights } = fit(samples, { classes: GENRES.length, penalty: PENALTY, scale: 1 })
  const byGenre = (of: (genre: number) => number | undefined): Partial<Record<Genre, number>> =>
    Object.fromEntries(GENRES.map((genre, i) => [genre, Math.round((of(i) ?? 0) * 1000) / 1000]))
  return {
    bias: byGenre((genre) => bias[genre]),
    cues: Object.fromEntries(names.map((name, i) => [name, byGenre((genre) => weights[genre]?.[i])])),
  }
}

/** Each fold is guessed by what the others taught. */
function report(layer: GenreLayer): void {
  const judged = [...new Set(articles.map(({ fold }) => fold))].sort().flatMap((fold) => {
    const learned = learn(
      articles.filter((one) => one.fold !== fold),
      layer,
    )
    const model = parseGenreModel(JSON.stringify({ text: learned, headline: learned }))
    const shown = (one: Labelled): Labelled => (layer === 'text' ? one : { ...one, body: '' })
    return articles.filter((one) => one.fold === fold).map((one) => ({ ...one, answer: genreOf(shown(one), model) }))
  })
  const parts = {
    all: judged,
    uniform: judged.filter(({ sample }) => sample === 'uniform'),
    'uniform, sure': judged.filter(({ sample, unsure }) => sample === 'uniform' && !unsure),
  }
  for (const [name, some] of Object.entries(parts)) {
    const { accuracy, f1, classes } = macroScore(
      some.map(({ genre }) => genre),
      some.map(({ answer }) => answer),
    )
    const reports = some.filter(({ genre, answer }) => (genre === 'report') === (answer === 'report')).length
    console.log(
      `${layer}, ${name}: n ${some.length}, accuracy ${accuracy.toFixed(3)}, macro F1 ${f1.toFixed(3)},`,
      `report or not ${(reports / some.length).toFixed(3)}`,
    )
    console.log(
      '   ',
      Object.entries(classes)
        .map(([genre, value]) => `${genre} ${value.toFixed(2)}`)
        .join(', '),
    )
  }
}
