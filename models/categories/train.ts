import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { onnxEncoder } from '../../src/adapters/onnx/language-models.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { CATEGORY_NAMES, type Category } from '../../src/language/categories/categories.ts'
import { categoryArticles, isHeldOut, LEARNED_FOLDS, type CategoryArticle } from '../../src/quality/categories.ts'

/** An example of one category. */
interface CategoryExample {
  readonly vector: Float32Array
  readonly is: boolean
  readonly weight: number
}

interface Learned {
  readonly weights: Float64Array
  readonly bias: number
}

const ROUNDS = 120
const MOMENTUM = 0.95

/** Logistic regression with a penalty on the squared weights, by gradient descent from nothing: the same at each run. */
function learn(examples: readonly CategoryExample[], { penalty, rate }: { penalty: number; rate: number }): Learned {
  const dim = examples[0]?.vector.length ?? 0
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  const weights = new Float64Array(dim)
  const speed = new Float64Array(dim)
  let bias = 0
  let biasSpeed = 0
  for (let round = 0; round < ROUNDS; round++) {
    const slope = new Float64Array(dim)
    let biasSlope = 0
    for (const { vector, is, weight } of examples) {
      const miss = (weight * (probability(vector, { weights, bias }) - (is ? 1 : 0))) / total
      biasSlope += miss
      for (let i = 0; i < dim; i++) slope[i] = (slope[i] ?? 0) + miss * (vector[i] ?? 0)
    }
    for (let i = 0; i < dim; i++) {
      speed[i] = MOMENTUM * (speed[i] ?? 0) - rate * ((slope[i] ?? 0) + penalty * (weights[i] ?? 0))
      weights[i] = (weights[i] ?? 0) + (speed[i] ?? 0)
    }
    biasSpeed = MOMENTUM * biasSpeed - rate * biasSlope
    bias += biasSpeed
  }
  return { weights, bias }
}

function probability(vector: Float32Array, { weights, bias }: Learned): number {
  let sum = bias
  for (let i = 0; i < vector.length; i++) sum += (vector[i] ?? 0) * (weights[i] ?? 0)
  return 1 / (1 + Math.exp(-sum))
}

interface CategoryGuess {
  readonly is: boolean
  readonly weight: number
  readonly probability: number
}

/** The lowest threshold, not below one half, from which on at least `precision` of the weight above it is right. */
function thresholdFor(guesses: readonly CategoryGuess[], precision: number): number {
  const ranked = guesses.filter((one) => one.probability >= 0.5).sort((a, b) => b.probability - a.probability)
  let right = 0
  let predicted = 0
  let best = 0.99
  for (const guess of ranked) {
    predicted += guess.weight
    if (guess.is) right += guess.weight
    if (right / predicted >= precision) best = guess.probability
  }
  return Math.min(0.99, best)
}

function precisionAndRecall(guesses: readonly CategoryGuess[], threshold: number) {
  const weightOf = (some: readonly CategoryGuess[]) => some.reduce((sum, { weight }) => sum + weight, 0)
  const predicted = guesses.filter(({ probability }) => probability >= threshold)
  const right = predicted.filter(({ is }) => is)
  const all = guesses.filter(({ is }) => is)
  return {
    precision: weightOf(right) / weightOf(predicted),
    recall: weightOf(right) / weightOf(all),
    right: right.length,
    predicted: predicted.length,
    all: all.length,
    of: guesses.length,
  }
}

/**
 * Learns `weights.json` from labelled files of stories and from the headlines beside this script:
 *
 *     npx tsx models/categories/train.ts --topics ALLSIDES --desks UCI --model MODEL.onnx --tokenizer TOKENIZER.json
 *
 * `--vectors FOLDER`: lead vectors made before, `<set>.ids` and `<set>.f32` (float32, 768 numbers a line: lead, title).
 * `--show N`: so many titles of each category from the fifth that nothing was learned from.
 */
const { values } = parseArgs({
  options: {
    topics: { type: 'string' },
    desks: { type: 'string' },
    model: { type: 'string' },
    tokenizer: { type: 'string' },
    vectors: { type: 'string' },
    show: { type: 'string', default: '0' },
  },
})
const given = z
  .object({ topics: z.string(), desks: z.string(), model: z.string(), tokenizer: z.string() })
  .parse(values)

const DIM = 384
/** Asked of the folds that learn, so that the fifth that is held out has the .8 that is promised. */
const TARGET_PRECISION = 0.9
const RATE = 10
/** Each category takes the one with the highest recall at that precision, by the folds that learn. */
const PENALTIES = [1e-4, 1e-3, 3e-3, 1e-2]

interface TrialArticle extends CategoryArticle {
  readonly set: string
  readonly vector: Float32Array
}

const encoder = await onnxEncoder({ onnx: given.model, tokenizer: given.tokenizer, processes: 1 })
const articles = [
  ...(await read('allsides', given.topics)),
  ...(await read('uci', given.desks)),
  ...(await read('headlines', projectPath('models/categories/headlines.tsv'))),
]
/** A set weighs as the square root of its size, or the largest, which is of one country, would decide alone. */
const setSizes = new Map<string, number>()
for (const { set } of articles) setSizes.set(set, (setSizes.get(set) ?? 0) + 1)
const models = CATEGORY_NAMES.map((category) => modelOf(category))
await encoder.close()

const rounded = (value: number): number => Number(value.toPrecision(6))
const file = {
  encoder: `${encoder.model}:lead`,
  categories: models.map(({ category, learned, threshold }) => ({
    name: category,
    threshold: rounded(threshold),
    bias: rounded(learned.bias),
    weights: [...learned.weights].map(rounded),
  })),
}
writeFileSync(projectPath('models/categories/weights.json'), `${JSON.stringify(file)}\n`)

function modelOf(category: Category): { category: Category; learned: Learned; threshold: number } {
  const known = articles.filter(({ labels }) => labels[category] !== undefined)
  const learning = known.filter((one) => !isHeldOut(one))
  const tried = PENALTIES.map((penalty) => trial(learning, category, penalty))
  const { penalty, threshold } = tried.reduce((best, one) => (one.recall > best.recall ? one : best))
  const learned = learn(examples(learning, category), { penalty, rate: RATE })
  const held = known.filter(isHeldOut)
  for (const set of ['all', ...new Set(held.map((one) => one.set))]) {
    const tested = held.filter((one) => set === 'all' || one.set === set).map((one) => guess(one, category, learned))
    const { precision, recall, right, predicted, all, of } = precisionAndRecall(tested, threshold)
    console.log(
      `${category} ${set}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} (${right} of ${predicted} told are right; ${all} are, of ${of})`,
    )
  }
  console.log(`${category}: penalty ${penalty}, threshold ${threshold.toFixed(3)}`)
  show(category, learned, threshold)
  return { category, learned, threshold }
}

/** Each fold that learns is guessed by what the others taught. */
function trial(learning: readonly TrialArticle[], category: Category, penalty: number) {
  const guesses = LEARNED_FOLDS.flatMap((fold) => {
    const others = learning.filter((one) => one.fold !== fold)
    const part = learn(examples(others, category), { penalty, rate: RATE })
    return learning.filter((one) => one.fold === fold).map((one) => guess(one, category, part))
  })
  const threshold = thresholdFor(guesses, TARGET_PRECISION)
  return { penalty, threshold, recall: precisionAndRecall(guesses, threshold).recall }
}

function guess(one: TrialArticle, category: Category, learned: Learned): CategoryGuess {
  const weight = 1 / Math.sqrt(setSizes.get(one.set) ?? 1)
  return { is: isOf(one, category), weight, probability: probability(one.vector, learned) }
}

/** Both answers weigh the same; within each, a set weighs as the square root of its size. */
function examples(known: readonly TrialArticle[], category: Category): CategoryExample[] {
  const sizes = new Map<string, number>()
  const groupOf = ({ set, labels }: TrialArticle) => `${labels[category]} ${set}`
  for (const one of known) sizes.set(groupOf(one), (sizes.get(groupOf(one)) ?? 0) + 1)
  const mass = (is: boolean) =>
    [...sizes].filter(([group]) => group.startsWith(`${is} `)).reduce((sum, [, size]) => sum + Math.sqrt(size), 0)
  const masses = { true: mass(true), false: mass(false) }
  return known.map((one) => ({
    vector: one.vector,
    is: isOf(one, category),
    weight: 1 / Math.sqrt(sizes.get(groupOf(one)) ?? 1) / masses[`${isOf(one, category)}`],
  }))
}

function isOf(one: TrialArticle, category: Category): boolean {
  return one.labels[category] === true
}

/** Titles that the model has not learned from, whatever their label, evenly over the whole fifth. */
function show(category: Category, learned: Learned, threshold: number): void {
  const predicted = articles.filter((one) => isHeldOut(one) && probability(one.vector, learned) >= threshold)
  const step = Math.max(1, Math.floor(predicted.length / Math.max(1, Number(values.show))))
  for (let i = 0; i < predicted.length && i / step < Number(values.show); i += step) {
    const one = predicted[i]
    if (one !== undefined) console.log(`    ${one.labels[category] ?? '-'} ${one.set}: ${one.title}`)
  }
}

async function read(set: string, path: string): Promise<TrialArticle[]> {
  const all = categoryArticles(path)
  const file = `${values.vectors ?? ''}/${basename(path).replace(/\..*/, '')}`
  const cached = existsSync(`${file}.f32`) ? cachedLeads(file) : null
  const found: TrialArticle[] = []
  for (let from = 0; from < all.length; from += 64) {
    const part = all.slice(from, from + 64)
    const made = cached?.slice(from, from + 64) ?? (await encoder.leads(part))
    found.push(...part.map((article, i) => ({ ...article, set, vector: made[i] ?? new Float32Array(DIM) })))
  }
  return found
}

function cachedLeads(path: string): Float32Array[] {
  const { buffer, byteOffset, length } = readFileSync(`${path}.f32`)
  const numbers = new Float32Array(buffer.slice(byteOffset, byteOffset + length))
  return Array.from({ length: numbers.length / (2 * DIM) }, (_, i) => numbers.subarray(i * 2 * DIM, i * 2 * DIM + DIM))
}
