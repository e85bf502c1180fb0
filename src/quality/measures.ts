import { quickFiles, clusteredParts } from '../wiring/stages.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCategories, readGenreModel, readStanceModel, clusteringWeights } from '../adapters/model-files.ts'
import { scoreCategories } from '../quality/categories.ts'
import { scoreDuplicates } from '../quality/duplicates.ts'
import type { Figure } from '../domain/quality/figures.ts'
import { scoreGenres } from '../quality/genre.ts'
import { byDensity, byHalf, checkArticles, type JudgedPair, scorePairs } from '../quality/judged-pairs.ts'
import { keptLeads, type KeptLeads } from '../quality/kept-leads.ts'
import { scoreNerFile } from '../quality/score-ner-file.ts'
import { scoreSentimentFile } from '../quality/score-sentiment-file.ts'
import { scoreStanceFile } from '../quality/score-stance-file.ts'
import { stanceVectors } from '../quality/stance-vectors.ts'
import type { MacroScore } from '../quality/sentiment-score.ts'
import { labelledArticles, scoreStories, type StoryScore } from '../quality/stories.ts'
import { changed } from '../stages/changed/stage.ts'
import type { Variant } from './variants.ts'
import { clustered } from '../stages/clustered/stage.ts'
import { textIndex } from './text-index.ts'
import type { Wiring } from '../ports/wiring.ts'

export interface QualityResult {
  /** None of a file without labels. */
  readonly figures: readonly Omit<Figure, 'name'>[]
  /** What was answered, in the form that anybody can score. */
  readonly predictions: string
}

type QualityMeasure = (wiring: Wiring, file: string, variant?: Variant) => Promise<QualityResult>

export const MEASURES = {
  ner: (wiring, file) => nerFigures(wiring, readFileSync(file)),
  sentiment: (wiring, file) => sentimentFigures(wiring, readFileSync(file)),
  stories: (wiring, file, variant) => storyFigures(wiring, file, { variant }),
  duplicates,
  categories,
  stance: (wiring, file) => stanceFigures(wiring, readFileSync(file)),
  genre: (_, file) => Promise.resolve(genreFigures(file)),
} satisfies Record<string, QualityMeasure>

export type QualityMeasuresKind = keyof typeof MEASURES
export const KINDS = Object.keys(MEASURES).filter((name): name is QualityMeasuresKind => name in MEASURES)

/** Names and hashes of the models that these figures come from. */
export async function modelNames(wiring: Wiring): Promise<readonly string[]> {
  const [{ model, sentiment }, tagger] = await Promise.all([wiring.encoder(), wiring.tagger()])
  return [`encoder:${model}`, tagger.model, sentiment, readStanceModel().name]
}

export async function nerFigures(wiring: Wiring, file: Buffer): Promise<QualityResult> {
  const using = { tagger: await wiring.tagger(), lists: quickFiles() }
  const { n, score, types, predictions } = await scoreNerFile(using, file)
  if (n === null) return { figures: [], predictions }
  const each = types.map(([type, { f1, gold }]) => ({ measure: `span_f1_${type.toLowerCase()}`, value: f1, n: gold }))
  return {
    figures: [
      { measure: 'span_f1', value: score.f1, n },
      { measure: 'span_precision', value: score.precision, n },
      { measure: 'span_recall', value: score.recall, n },
      ...each,
    ],
    predictions,
  }
}

export async function sentimentFigures(wiring: Wiring, file: Buffer): Promise<QualityResult> {
  return classFigures(await scoreSentimentFile(await wiring.encoder(), file))
}

/** Vectors from the cache folder, where an earlier run has left them. */
export async function stanceFigures(wiring: Wiring, file: Buffer): Promise<QualityResult> {
  const vectors = stanceVectors(await wiring.encoder(), join(wiring.config.cache, 'quality'))
  const scored = await scoreStanceFile({ model: readStanceModel(), vectors }, file)
  vectors.save()
  return learnedFigures(scored)
}

/** Of articles that somebody judged, or that the project's own labels name. */
const genreFigures = (file: string): QualityResult => learnedFigures(scoreGenres(file, readGenreModel()))

/** With the share that the model was learned from. */
function learnedFigures(scored: Scored & { readonly learned: number }): QualityResult {
  const { figures, predictions } = classFigures(scored)
  const learned = figures.slice(0, 1).map(({ n }) => ({ measure: 'learned_from', value: scored.learned, n }))
  return { figures: [...figures, ...learned], predictions }
}

function classFigures({ n, score, predictions }: Scored): QualityResult {
  if (n === null) return { figures: [], predictions }
  const classes = Object.entries(score.classes).map(([name, f1]) => ({ measure: `f1_${name}`, value: f1, n }))
  return {
    figures: [
      { measure: 'macro_f1', value: score.f1, n },
      ...classes,
      { measure: 'accuracy', value: score.accuracy, n },
    ],
    predictions,
  }
}

/** Of classes that people judged; n null: the file has no labels. */
interface Scored {
  readonly n: number | null
  readonly score: MacroScore
  readonly predictions: string
}

/** Lead vectors from the cache folder, where an earlier run has left them. */
export const storyEncoder = async (wiring: Wiring): Promise<KeptLeads> =>
  keptLeads(await wiring.encoder(), join(wiring.config.cache, 'quality'))

interface QualityMeasuresPart {
  /** So many articles, the last in date order; all where it does not say. */
  readonly last?: number
  readonly variant?: Variant | undefined
}

async function storyScore(
  wiring: Wiring,
  file: string,
  { last, variant }: QualityMeasuresPart = {},
): Promise<StoryScore> {
  const encoder = await storyEncoder(wiring)
  const scored = await scoreStories(file, {
    stage: clustered(clusteredParts(wiring)),
    feed: changed({ budget: wiring.config.clustered.membersInMemory }),
    encoder,
    arrival: wiring.clock.now(),
    namespace: 'quality',
    genres: readGenreModel(),
    ...(last === undefined ? {} : { last }),
    ...(variant === undefined ? {} : { variant }),
  })
  encoder.save()
  return scored
}

/** Story of each article, as it is in the end. */
const storyLines = ({ predictions }: StoryScore): string =>
  predictions.map(({ id, cluster_id }) => `${JSON.stringify({ id, cluster: cluster_id })}\n`).join('')

export async function storyFigures(
  wiring: Wiring,
  file: string,
  part: QualityMeasuresPart = {},
): Promise<QualityResult> {
  const scored = await storyScore(wiring, file, part)
  const n = scored.labelled
  return {
    figures: [
      { measure: 'b_cubed_precision', value: scored.b_cubed.precision, n },
      { measure: 'b_cubed_recall', value: scored.b_cubed.recall, n },
      { measure: 'b_cubed_f1', value: scored.b_cubed.f1, n },
      { measure: 'pairwise_f1', value: scored.pairwise.f1, n },
      { measure: 'over_merge_rate', ...scored.over_merge },
      { measure: 'fragmentation_rate', ...scored.fragmentation },
      { measure: 'id_churn', ...scored.id_churn },
      { measure: 'online_b_cubed_f1', value: scored.online_b_cubed.f1, n },
      { measure: 'assignment_ece', ...scored.calibration.placed },
      { measure: 'assignment_ece_settled', ...scored.calibration.settled },
      { measure: 'contradicted', ...scored.contradictions.all },
      { measure: 'contradicted_settled', ...scored.contradictions.settled },
      { measure: 'contradicted_certain', ...scored.contradictions.certain },
    ],
    predictions: storyLines(scored),
  }
}

interface PairsOf {
  /** File of the articles that they are from. */
  readonly articles: string
  /** Only pairs of this half of the weeks; all where it does not say. */
  readonly half?: 'learn' | 'measure'
}

/** Of pairs that people judged, against the stories of their articles; by density of the day, too. None of no pairs. */
export async function pairFigures(
  wiring: Wiring,
  all: readonly JudgedPair[],
  { articles, half }: PairsOf,
): Promise<QualityResult> {
  const known = await labelledArticles(articles)
  checkArticles(all, new Set(known.map(({ id }) => id)))
  const judged =
    half === undefined ? all : byHalf(all, new Map(known.map(({ id, published }) => [id, published])))[half]
  const scored = await storyScore(wiring, articles)
  const storyOf = new Map(scored.predictions.map(({ id, cluster_id }) => [id, cluster_id]))
  const { busy, quiet } = byDensity(judged, known)
  const parts = { '': judged, _busy: busy, _quiet: quiet }
  const figures = Object.entries(parts).flatMap(([part, some]) => {
    if (some.length === 0) return []
    const { precision, recall, f1, n } = scorePairs(some, storyOf)
    const named = { pair_precision: precision, pair_recall: recall, pair_f1: f1 }
    return Object.entries(named).map(([measure, value]) => ({ measure: `${measure}${part}`, value, n }))
  })
  return { figures, predictions: storyLines(scored) }
}

async function duplicates(wiring: Wiring, file: string): Promise<QualityResult> {
  const index = textIndex(clusteringWeights().origins)
  return scoreDuplicates(file, { index, arrival: wiring.clock.now() })
}

/** On what `models/categories/train.ts` did not learn from. */
async function categories(wiring: Wiring, file: string): Promise<QualityResult> {
  const encoder = await storyEncoder(wiring)
  const { scores, predictions } = await scoreCategories(file, { encoder, categories: readCategories() })
  encoder.save()
  const figures = scores.flatMap(({ category, precision, recall, f1, n }) => [
    { measure: `precision_${category}`, value: precision, n },
    { measure: `recall_${category}`, value: recall, n },
    { measure: `f1_${category}`, value: f1, n },
  ])
  return { figures, predictions }
}
