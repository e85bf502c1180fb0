import { writeFileSync } from 'node:fs'
import { projectPath } from '../../src/config/project-path.ts'
import { GENRES, type Genre } from '../../src/events/articles.ts'
import { genreCues, genreOf, layerOf, parseGenreModel, type GenreLayer } from '../../src/language/genre/genre.ts'
import { WORDING_WIDTH, wordingOf } from '../../src/language/genre/wording.ts'
import { genreArticles, type GenreArticle } from '../../src/quality/genre.ts'
import { macroScore } from '../../src/quality/macro-score.ts'
import { descended } from '../stance/fit.ts'

interface SparseSample {
  /** Numbers of the features that are not zero. */
  readonly features: Uint32Array
  readonly values: Float64Array
  readonly label: number
}

interface Fitting {
  readonly classes: number
  readonly width: number
  /** Half of it times each squared weight (not the biases') is added to the loss. */
  readonly penalty: number
}

interface FittedWeights {
  readonly bias: readonly number[]
  /** `classes` numbers for each feature, one feature after the other. */
  readonly weights: Float64Array
}

/** Few enough that rare words are hardly learned by heart, which the penalty alone would not prevent. */
const STEPS = 30

/** Multinomial logistic regression by L-BFGS from nothing, of rows that are mostly zero: the same at each run. */
function fitSparse(samples: readonly SparseSample[], { classes, width, penalty }: Fitting): FittedWeights {
  const bias = width * classes
  const gradientAt = (at: Float64Array, slope: Float64Array): number => {
    let loss = 0
    slope.fill(0)
    const sums = new Float64Array(classes)
    for (const { features, values, label } of samples) {
      for (let k = 0; k < classes; k++) sums[k] = at[bias + k] ?? 0
      for (let j = 0; j < features.length; j++) {
        const from = (features[j] ?? 0) * classes
        const value = values[j] ?? 0
        for (let k = 0; k < classes; k++) sums[k] = (sums[k] ?? 0) + value * (at[from + k] ?? 0)
      }
      const most = Math.max(...sums)
      let total = 0
      for (let k = 0; k < classes; k++) total += Math.exp((sums[k] ?? 0) - most)
      loss += Math.log(total) + most - (sums[label] ?? 0)
      for (let k = 0; k < classes; k++) sums[k] = Math.exp((sums[k] ?? 0) - most) / total - (k === label ? 1 : 0)
      for (let j = 0; j < features.length; j++) {
        const from = (features[j] ?? 0) * classes
        const value = values[j] ?? 0
        for (let k = 0; k < classes; k++) slope[from + k] = (slope[from + k] ?? 0) + value * (sums[k] ?? 0)
      }
      for (let k = 0; k < classes; k++) slope[bias + k] = (slope[bias + k] ?? 0) + (sums[k] ?? 0)
    }
    for (let i = 0; i < bias; i++) {
      loss += (penalty * (at[i] ?? 0) ** 2) / 2
      slope[i] = (slope[i] ?? 0) + penalty * (at[i] ?? 0)
    }
    return loss
  }
  const best = descended(new Float64Array(bias + classes), gradientAt, STEPS)
  return { bias: [...best.subarray(bias)], weights: best.subarray(0, bias) }
}

/**
 * Learns `weights.json` from the genres of `models/clustering/labels/weeks.jsonl` and prints how good it is on articles and
 * outlets that it has not learned from:
 *
 *     npx tsx models/genre/train.ts ALLSIDES.jsonl.gz
 *
 * The articles of `genre.jsonl` are measured with and never learned from.
 */
const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: train.ts ALLSIDES.jsonl.gz')

/** Half of it times each squared weight is added to the loss. */
const PENALTY = 1
const MOST = 127
type GenreRow = GenreArticle & { readonly gold: Genre }
const articles = await genreArticles(file)
const learnable = articles.flatMap((one): GenreRow[] => (one.learned === null ? [] : [{ ...one, gold: one.learned }]))
const measured = articles.flatMap((one): GenreRow[] => (one.genre === null ? [] : [{ ...one, gold: one.genre }]))

const weights = JSON.stringify(learn(learnable), null, 1)
writeFileSync(projectPath('models/genre/weights.json'), `${weights}\n`)
const answered = answers(measured, weights)
report('held out', answered)
report('held out, uniform', uniform(answered))
report(
  'held out, uniform, sure',
  uniform(answered).filter(({ unsure }) => !unsure),
)
const headlines = answers(
  measured.map((one) => ({ ...one, body: '' })),
  weights,
)
report('headline, held out, uniform', uniform(headlines))
report(
  'weeks, other outlets',
  [0, 1, 2, 3, 4].flatMap((fold) =>
    answers(
      learnable.filter((one) => one.fold === fold),
      JSON.stringify(learn(learnable.filter((one) => one.fold !== fold))),
    ),
  ),
)

/** What is learned from some articles, as `parseGenreModel` reads it. */
function learn(rows: readonly GenreRow[]) {
  const text = learnLayer(
    rows.filter((row) => layerOf(row) === 'text'),
    'text',
  )
  const { layer: headline } = learnLayer(rows, 'headline')
  return { text: text.layer, headline, wording: packed(text.wording) }
}

/** The cues of a layer come first, then the buckets of the wording, which only the layer `text` has. */
function learnLayer(rows: readonly GenreRow[], layer: GenreLayer) {
  const cues = rows.map((row) => genreCues(row, layer))
  const names = [...(cues[0]?.keys() ?? [])]
  const width = names.length + (layer === 'text' ? WORDING_WIDTH : 0)
  const samples = rows.map((row, i): SparseSample => {
    const { buckets, shares } = layer === 'text' ? wordingOf(row) : { buckets: [], shares: [] }
    return {
      features: Uint32Array.from([...names.keys(), ...[...buckets].map((bucket) => names.length + bucket)]),
      values: Float64Array.from([...names.map((name) => cues[i]?.get(name) ?? 0), ...shares]),
      label: GENRES.indexOf(row.gold),
    }
  })
  const fitted = fitSparse(samples, { classes: GENRES.length, width, penalty: PENALTY })
  const byGenre = (of: (genre: number) => number | undefined): Partial<Record<Genre, number>> =>
    Object.fromEntries(GENRES.map((genre, i) => [genre, Math.round((of(i) ?? 0) * 1000) / 1000]))
  return {
    layer: {
      bias: byGenre((genre) => fitted.bias[genre]),
      cues: Object.fromEntries(
        names.map((name, i) => [name, byGenre((genre) => fitted.weights[i * GENRES.length + genre])]),
      ),
    },
    wording: fitted.weights.subarray(names.length * GENRES.length),
  }
}

/** One signed byte a weight; the largest is 127. */
function packed(values: Float64Array): { readonly scale: number; readonly weights: string } {
  const scale = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / MOST
  const bytes = Int8Array.from(values, (value) => Math.round(value / scale))
  return { scale, weights: Buffer.from(bytes.buffer).toString('base64') }
}

type PredictedRow = GenreRow & { readonly answer: Genre }

function answers(rows: readonly GenreRow[], json: string): PredictedRow[] {
  const model = parseGenreModel(json)
  return rows.map((row) => ({ ...row, answer: genreOf(row, model) }))
}

function uniform(rows: readonly PredictedRow[]): PredictedRow[] {
  return rows.filter(({ sample }) => sample === 'uniform')
}

/** Accuracy, F1 by class, and how often each genre (a row) was taken for each (a column). */
function report(name: string, rows: readonly PredictedRow[]): void {
  const { accuracy, f1, classes } = macroScore(
    rows.map(({ gold }) => gold),
    rows.map(({ answer }) => answer),
  )
  const reports = rows.filter(({ gold, answer }) => (gold === 'report') === (answer === 'report')).length
  console.log(
    `${name}: n ${rows.length}, accuracy ${accuracy.toFixed(3)}, macro F1 ${f1.toFixed(3)},`,
    `report or not ${(reports / rows.length).toFixed(3)}`,
  )
  for (const gold of GENRES) {
    const of = rows.filter((row) => row.gold === gold)
    const counts = GENRES.map((answer) => of.filter((row) => row.answer === answer).length)
    console.log(
      `   ${gold.padEnd(13)}`,
      counts.map((count) => String(count).padStart(5)).join(''),
      `  F1 ${(classes[gold] ?? 0).toFixed(2)}`,
    )
  }
}
