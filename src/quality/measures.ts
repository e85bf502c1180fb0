import { stateBudgets } from '../config/state-budgets.ts'
import { taggerOf } from '../adapters/composed-reader.ts'
import { readerFor } from '../language/analysis/analyse.ts'
import { groupedBy } from '../language/grouped-by.ts'
import { languageOf } from '../language/language-of.ts'
import { writtenTokens } from '../language/recogniser/written-tokens.ts'
import type { Reader } from '../ports/reader.ts'
import { quickFiles, clusteredParts } from '../wiring/stages.ts'
import { readCategories, readGenreModel, readStanceModel, clusteringWeights } from '../adapters/model-files.ts'
import { scoreCategories } from './categories.ts'
import { scoreDuplicates } from './duplicates.ts'
import type { Figure } from '../domain/quality/figures.ts'
import { scoreGenres } from './genre.ts'
import { scoreLanguages } from './language.ts'
import { byDensity, byHalf, checkArticles, type JudgedPair, scorePairs } from './judged-pairs.ts'
import { keptCrossVectors, keptLeads, type KeptLeads } from './kept-leads.ts'
import { parseBio, scoreNerFile } from './ner.ts'
import { scoreTranslations } from './translations.ts'
import { scoreSentimentFile } from './sentiment.ts'
import { scoreStanceFile, stanceVectors } from './stance.ts'
import type { ClassMeasure, LearnedMeasure } from './macro-score.ts'
import { replayed, scoreStories, type StoryScore } from './stories.ts'
import { changed } from '../stages/changed/stage.ts'
import { checkKnown, labelledArticles, type Variant } from './labelled-articles.ts'
import { clustered } from '../stages/clustered/stage.ts'
import type { Wiring } from '../ports/wiring.ts'
import { asJsonLines, textOf } from './labelled-file.ts'
import { halvesOf, pagesOf, scoreSubjects, subjectLabels } from './subjects.ts'
import { affairsOf, type AffairScore, scoreThreads, type ThreadScore } from './threads.ts'
import { linked } from '../stages/linked/stage.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface QualityResult {
  /** Empty if the file has no labels. */
  readonly figures: readonly Omit<Figure, 'name'>[]
  /** The predictions, in a format that can be scored independently. */
  readonly predictions: string
}

const namespace = 'quality'

type QualityMeasure = (wiring: Wiring, file: string, variant?: Variant) => Promise<QualityResult>

/** Figures that share a sample size, from values by measure. */
const ofSample = (n: number, values: Readonly<Record<string, number>>): QualityResult['figures'] =>
  Object.entries(values).map(([measure, value]) => ({ measure, value, n }))

export const MEASURES = {
  ner: (wiring, file) => nerFigures(wiring, readFileSync(file)),
  sentiment: (wiring, file) => sentimentFigures(wiring, readFileSync(file)),
  stories: (wiring, file, variant) => storyFigures(wiring, file, { variant }),
  duplicates,
  categories,
  stance: (wiring, file) => stanceFigures(wiring, readFileSync(file)),
  genre: (_, file) => genreFigures(file),
  language: (_, file) => languageFigures(file),
  translations: (_, file) => scoreTranslations(file),
} satisfies Record<string, QualityMeasure>

export type QualityMeasuresKind = keyof typeof MEASURES
export const KINDS = Object.keys(MEASURES).filter((name): name is QualityMeasuresKind => name in MEASURES)

export async function nerFigures(wiring: Wiring, file: Buffer): Promise<QualityResult> {
  const texts = parseBio(textOf(file)).map(({ tokens }) => writtenTokens(tokens).text)
  const using = { tagger: taggerOf(await readerOfTexts(wiring, texts)), lists: quickFiles() }
  const { n, score, types, predictions } = await scoreNerFile(using, file)
  if (n === null) return { figures: [], predictions }
  const each = types.map(([type, { f1, gold }]) => ({ measure: `span_f1_${type.toLowerCase()}`, value: f1, n: gold }))
  return {
    figures: [
      ...ofSample(n, { span_f1: score.f1, span_precision: score.precision, span_recall: score.recall }),
      ...each,
    ],
    predictions,
  }
}

export async function sentimentFigures(wiring: Wiring, file: Buffer): Promise<QualityResult> {
  return classFigures(await scoreSentimentFile((texts) => readerOfTexts(wiring, texts), file))
}

/** The texts of a file that its language is recognised by. */
const RECOGNISED_TEXTS = 100

/** The reader of the language that most of the texts are in. */
async function readerOfTexts(wiring: Wiring, texts: readonly string[]): Promise<Reader> {
  const recognised = await Promise.all(texts.slice(0, RECOGNISED_TEXTS).map((text) => languageOf(text)))
  const languages = groupedBy(recognised, (language) => language)
  const [[language] = ['und']] = [...languages].sort(([, a], [, b]) => b.length - a.length)
  return readerFor({ reader: await wiring.reader(), crossReader: await wiring.crossReader() }, language)
}

/** Reads vectors from the cache folder if an earlier run stored them. */
export async function stanceFigures(wiring: Wiring, file: Buffer): Promise<QualityResult> {
  const vectors = stanceVectors(await wiring.encoder(), join(wiring.config.cache, 'quality'))
  const scored = await scoreStanceFile({ model: readStanceModel(), vectors }, file)
  vectors.save()
  return learnedFigures(scored)
}

/** Measures the articles whose genre is judged in the file or in the project's own labels. */
const genreFigures = async (file: string): Promise<QualityResult> =>
  learnedFigures(await scoreGenres(file, readGenreModel()))

/** Accuracy of the language of articles with and without their text. */
async function languageFigures(file: string): Promise<QualityResult> {
  const { n, titles, articles, predictions } = await scoreLanguages(readFileSync(file))
  if (n === 0) return { figures: [], predictions }
  return { figures: ofSample(n, { accuracy_titles: titles, accuracy_articles: articles }), predictions }
}

/** Adds the share of the judgements that the model was trained on. */
function learnedFigures(scored: LearnedMeasure): QualityResult {
  const { figures, predictions } = classFigures(scored)
  const learned = figures.slice(0, 1).map(({ n }) => ({ measure: 'learned_from', value: scored.learned, n }))
  return { figures: [...figures, ...learned], predictions }
}

function classFigures({ n, score, predictions }: ClassMeasure): QualityResult {
  if (n === null) return { figures: [], predictions }
  const classes = Object.fromEntries(Object.entries(score.classes).map(([name, f1]) => [`f1_${name}`, f1]))
  return { figures: ofSample(n, { macro_f1: score.f1, ...classes, accuracy: score.accuracy }), predictions }
}

/** Reads lead vectors from the cache folder if an earlier run stored them. */
export const storyEncoder = async (wiring: Wiring): Promise<KeptLeads> =>
  keptLeads(await wiring.encoder(), join(wiring.config.cache, 'quality'))

/** The same for the vectors that are comparable between languages; `null` if only English is read. */
async function crossStoryEncoder(wiring: Wiring) {
  const encoder = await wiring.crossEncoder()
  return encoder === null ? null : keptCrossVectors(encoder, join(wiring.config.cache, 'quality'))
}

interface QualityMeasuresPart {
  /** Only this many articles, the last in date order; all by default. */
  readonly last?: number
  readonly variant?: Variant | undefined
}

async function storyScore(wiring: Wiring, file: string, part: QualityMeasuresPart = {}): Promise<StoryScore> {
  const [encoder, crossEncoder] = [await storyEncoder(wiring), await crossStoryEncoder(wiring)]
  const scored = await scoreStories(file, {
    stage: clustered(clusteredParts(wiring)),
    feed: changed({ budget: stateBudgets(wiring.config).changed }),
    encoder,
    crossEncoder,
    arrival: wiring.clock.now(),
    namespace,
    genres: readGenreModel(),
    ...part,
  })
  encoder.save()
  crossEncoder?.save()
  return scored
}

/** The final story of each article. */
const storyLines = ({ predictions }: StoryScore): string =>
  asJsonLines(predictions.map(({ id, cluster_id }) => ({ id, cluster: cluster_id })))

export async function storyFigures(
  wiring: Wiring,
  file: string,
  part: QualityMeasuresPart = {},
): Promise<QualityResult> {
  const scored = await storyScore(wiring, file, part)
  const n = scored.labelled
  const { precision, recall, f1 } = scored.b_cubed
  return {
    figures: [
      ...ofSample(n, { b_cubed_precision: precision, b_cubed_recall: recall, b_cubed_f1: f1 }),
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
  /** The file with the articles of the pairs. */
  readonly articles: string
  /** Only pairs from this half of the weeks; all by default. */
  readonly half?: 'learn' | 'measure'
}

/**
 * Compares judged pairs with the stories of their articles, in total and for busy and quiet days. No figures without
 * pairs.
 */
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
    const named = { [`pair_precision${part}`]: precision, [`pair_recall${part}`]: recall, [`pair_f1${part}`]: f1 }
    return ofSample(n, named)
  })
  return { figures, predictions: storyLines(scored) }
}

async function duplicates(wiring: Wiring, file: string): Promise<QualityResult> {
  return scoreDuplicates(file, { weights: clusteringWeights().origins, arrival: wiring.clock.now() })
}

/** Measures only articles that `models/categories/train.ts` did not train on. */
async function categories(wiring: Wiring, file: string): Promise<QualityResult> {
  const encoder = await storyEncoder(wiring)
  const { scores, predictions } = await scoreCategories(file, { encoder, categories: readCategories() })
  encoder.save()
  const figures = scores.flatMap(({ category, precision, recall, f1, n }) =>
    ofSample(n, { [`precision_${category}`]: precision, [`recall_${category}`]: recall, [`f1_${category}`]: f1 }),
  )
  return { figures, predictions }
}

interface SubjectFiles {
  readonly articles: string
  /** The annotators' labels of whole weeks. */
  readonly labels: string
  /** The mean link above which stories share a page; by default that of the model. */
  readonly threshold?: number | undefined
}

/**
 * Clusters the articles of labelled weeks day by day and compares their subject pages with the labels. Throws
 * `BadLine`.
 */
export async function subjectFigures(
  wiring: Wiring,
  { articles, labels, threshold }: SubjectFiles,
): Promise<QualityResult> {
  const halves = halvesOf(subjectLabels(textOf(readFileSync(labels))))
  const chosen = new Set(Object.values(halves).flatMap((half) => half.map(({ id }) => id)))
  const some = (await labelledArticles(articles)).filter(({ id }) => chosen.has(id))
  checkKnown('labels', [...chosen], new Set(some.map(({ id }) => id)))

  const parts = clusteredParts(wiring)
  const subject = { ...parts.weights.subject, ...(threshold === undefined ? {} : { threshold }) }
  const [encoder, arrival] = [await storyEncoder(wiring), wiring.clock.now()]
  const stage = clustered({ ...parts, weights: { ...parts.weights, subject } })
  const { replay, ids } = await replayed(some, stage, { encoder, arrival, namespace })
  encoder.save()

  const pages = pagesOf(replay.ledger)
  const pageOf = new Map(
    some.flatMap(({ id }, i) => {
      const page = pages.get(ids[i] ?? '')
      return page === undefined ? [] : [[id, page] as const]
    }),
  )
  const figures = (['measure', 'learn'] as const).flatMap((half) => {
    const { precision, recall } = scoreSubjects(halves[half], pageOf, subject)
    return [
      { measure: `subject_precision_${half}`, ...precision },
      { measure: `subject_recall_${half}`, ...recall },
    ]
  })
  return { figures, predictions: asJsonLines(some.map(({ id }) => ({ id, subject: pageOf.get(id) ?? null }))) }
}

/** Compares labelled affairs with the stories and threads of their articles. Throws `BadLine`. */
export async function threadFigures(wiring: Wiring, affairs: string, articles: string): Promise<QualityResult> {
  const labelled = affairsOf(textOf(readFileSync(affairs)))
  const encoder = await storyEncoder(wiring)
  const scored = await scoreThreads(articles, labelled, {
    stage: clustered(clusteredParts(wiring)),
    linked: linked({ budget: stateBudgets(wiring.config).linked }),
    files: quickFiles(),
    encoder,
    arrival: wiring.clock.now(),
    namespace,
  })
  encoder.save()
  const predictions = asJsonLines(scored.predictions.map(({ id, story, thread }) => ({ id, cluster: story, thread })))
  return { figures: affairFigures(scored), predictions }
}

const affairFigures = ({ learn, measure, sizes, line_ms, lines }: ThreadScore): QualityResult['figures'] => [
  ...ofHalf('measure', measure),
  ...ofHalf('learn', learn),
  ...ofSample(sizes.stories, {
    stories: sizes.stories,
    threads: sizes.threads,
    stories_in_threads: sizes.in_threads,
    stories_in_largest_thread: sizes.largest,
  }),
  { measure: 'linked_ms_a_line', value: line_ms, n: lines },
]

const ofHalf = (half: string, score: AffairScore): QualityResult['figures'] =>
  ofSample(score.pairs, {
    [`affair_recall_${half}`]: score.recall,
    [`affair_precision_${half}`]: score.precision,
    [`affair_precision_of_members_${half}`]: score.precision_of_members,
    [`affair_recall_in_story_${half}`]: score.in_story,
  })
