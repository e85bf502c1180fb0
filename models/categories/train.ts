import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { onnxEncoder } from '../../src/adapters/onnx/language-models.ts'
import { sha256 } from '../../src/events/ids.ts'
import { bodyOf } from '../../src/language/body-of.ts'
import type { Category } from '../../src/language/categories/categories.ts'
import { projectPath } from '../../src/project-path.ts'
import { jsonLines, linesOf, textOf } from '../../src/quality/labelled-file.ts'
import { labelledArticles } from '../../src/quality/stories.ts'
import { CATEGORIES, ofDesk, ofHeadline, ofTopic, type Labels } from './labels.ts'
import {
  learn,
  precisionAndRecall,
  probability,
  thresholdFor,
  type Example,
  type Guess,
  type Learned,
} from './learn.ts'

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

const FOLDS = 5
const TEST = 0
const DAY_MS = 86_400_000
const DIM = 384
/** Asked of the folds that learn, so that the fifth that is held out has the .8 that is promised. */
const WANTED = 0.9
const LEARNING = { penalty: 1e-4, rate: 10 }

interface Article {
  readonly title: string
  readonly set: string
  readonly fold: number
  readonly labels: Labels
  readonly vector: Float32Array
}

const encoder = await onnxEncoder({ onnx: given.model, tokenizer: given.tokenizer, processes: 1 })
const articles = [...(await topics()), ...(await desks()), ...(await headlines())]
/** A set weighs as the square root of its size, or the largest, which is of one country, would decide alone. */
const setSizes = new Map<string, number>()
for (const { set } of articles) setSizes.set(set, (setSizes.get(set) ?? 0) + 1)
const models = CATEGORIES.map((category) => modelOf(category))
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
  const learning = known.filter(({ fold }) => fold !== TEST)
  const guesses = [...Array(FOLDS).keys()]
    .filter((fold) => fold !== TEST)
    .flatMap((fold) => {
      const part = learn(
        examples(
          learning.filter((one) => one.fold !== fold),
          category,
        ),
        LEARNING,
      )
      return learning.filter((one) => one.fold === fold).map((one) => guess(one, category, part))
    })
  const threshold = thresholdFor(guesses, WANTED)
  const learned = learn(examples(learning, category), LEARNING)
  const held = known.filter(({ fold }) => fold === TEST)
  for (const set of ['all', ...new Set(held.map((one) => one.set))]) {
    const tested = held.filter((one) => set === 'all' || one.set === set).map((one) => guess(one, category, learned))
    const { precision, recall, right, told, all, of } = precisionAndRecall(tested, threshold)
    console.log(
      `${category} ${set}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} (${right} of ${told} told are right; ${all} are, of ${of})`,
    )
  }
  console.log(`${category}: threshold ${threshold.toFixed(3)}`)
  show(category, learned, threshold)
  return { category, learned, threshold }
}

function guess(one: Article, category: Category, learned: Learned): Guess {
  const weight = 1 / Math.sqrt(setSizes.get(one.set) ?? 1)
  return { is: isOf(one, category), weight, probability: probability(one.vector, learned) }
}

/** Both answers weigh the same; within each, a set weighs as the square root of its size. */
function examples(known: readonly Article[], category: Category): Example[] {
  const sizes = new Map<string, number>()
  const groupOf = ({ set, labels }: Article) => `${labels[category]} ${set}`
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

function isOf(one: Article, category: Category): boolean {
  return one.labels[category] === true
}

/** Titles that the model has not learned from, whatever their label, evenly over the whole fifth. */
function show(category: Category, learned: Learned, threshold: number): void {
  const told = articles.filter(({ fold, vector }) => fold === TEST && probability(vector, learned) >= threshold)
  const step = Math.max(1, Math.floor(told.length / Math.max(1, Number(values.show))))
  for (let i = 0; i < told.length && i / step < Number(values.show); i += step) {
    const one = told[i]
    if (one !== undefined) console.log(`    ${one.labels[category] ?? '-'} ${one.set}: ${one.title}`)
  }
}

/** The same story, the same week, the same headline is always in the same fold. */
function foldOf(text: string): number {
  return sha256(`categories ${text}`).readUInt32BE(0) % FOLDS
}

async function topics(): Promise<Article[]> {
  const row = z.object({ id: z.string(), topic: z.string() })
  const topicOf = new Map(jsonLines(textOf(readFileSync(given.topics)), row).map(({ id, topic }) => [id, topic]))
  return (await leads(given.topics)).map(({ article, vector }) => ({
    title: article.title ?? '',
    set: 'allsides',
    fold: foldOf(`week ${Math.floor((article.published ?? 0) / (7 * DAY_MS))}`),
    labels: ofTopic(topicOf.get(article.id) ?? ''),
    vector,
  }))
}

async function desks(): Promise<Article[]> {
  const row = z.object({ id: z.string(), category: z.string() })
  const deskOf = new Map(jsonLines(textOf(readFileSync(given.desks)), row).map(({ id, category }) => [id, category]))
  return (await leads(given.desks)).map(({ article, vector }) => ({
    title: article.title ?? '',
    set: 'uci',
    fold: foldOf(`story ${article.story ?? ''}`),
    labels: ofDesk(deskOf.get(article.id) ?? '', article.story ?? ''),
    vector,
  }))
}

async function headlines(): Promise<Article[]> {
  const lines = linesOf(readFileSync(projectPath('models/categories/headlines.tsv'), 'utf8'))
    .slice(1)
    .filter(Boolean)
  const rows = lines.map((line) => line.split('\t'))
  const vectors = await encoder.leads(rows.map(([, title = '']) => ({ title, body: '' })))
  return rows.map(([named = '', title = ''], i) => ({
    title,
    set: 'headlines',
    fold: foldOf(title),
    labels: ofHeadline(named),
    vector: vectors[i] ?? new Float32Array(DIM),
  }))
}

async function leads(path: string) {
  const all = await labelledArticles(path)
  const cached = values.vectors === undefined ? null : cachedLeads(`${values.vectors}/${basename(path, '.jsonl.gz')}`)
  const found = []
  for (let from = 0; from < all.length; from += 64) {
    const part = all.slice(from, from + 64)
    const made =
      cached ??
      (await encoder.leads(part.map(({ title, text }) => ({ title: title ?? '', body: bodyOf(title, text) }))))
    const first = cached === null ? 0 : from
    found.push(...part.map((article, i) => ({ article, vector: made[first + i] ?? new Float32Array(DIM) })))
  }
  return found
}

function cachedLeads(path: string): Float32Array[] {
  const { buffer, byteOffset, length } = readFileSync(`${path}.f32`)
  const numbers = new Float32Array(buffer.slice(byteOffset, byteOffset + length))
  return Array.from({ length: numbers.length / (2 * DIM) }, (_, i) => numbers.subarray(i * 2 * DIM, i * 2 * DIM + DIM))
}
