import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { clusteringModel, clusteringWeights } from '../../src/adapters/clustering-model.ts'
import { onnxEncoder } from '../../src/adapters/onnx/language-models.ts'
import { f32 } from '../../src/events/vector.ts'
import { bodyOf } from '../../src/language/body-of.ts'
import { projectPath } from '../../src/project-path.ts'
import { labelledArticles, type LabelledArticle } from '../../src/quality/stories.ts'
import { features } from '../../src/stages/clustered/features.ts'
import type { PairWeights } from '../../src/stages/clustered/model.ts'
import type { Kind } from '../../src/stages/clustered/pair.ts'
import { documentFrequencies } from './learn.ts'
import { fit } from './logistic.ts'
import { labelledPairs, type LabelledFeatures } from './pairs.ts'

/**
 * Learns from a news corpus in how many articles each term occurs and the mean of its lead vectors, then from its
 * labelled pairs and those of further sets the weights of a pair (see the README beside this file):
 *
 *     nice -n 10 npx tsx models/clustering/train.ts CORPUS.jsonl.gz SET.jsonl.gz ... --model MODEL.onnx --tokenizer TOKENIZER.json
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { model: { type: 'string' }, tokenizer: { type: 'string' } },
})
const [corpus] = positionals
if (corpus === undefined || values.model === undefined || values.tokenizer === undefined) {
  throw new Error('usage: train.ts CORPUS.jsonl.gz SET.jsonl.gz ... --model MODEL.onnx --tokenizer TOKENIZER.json')
}

/** What the labels cannot teach stays as `weights.json` has it: their stories are a day long, or have no dates at all. */
const SET_BY_HAND: ReadonlySet<string> = new Set(['gap_days', 'undated'])

const BATCH = 100
const WEIGHTS = projectPath('models/clustering/weights.json')
const encoder = await onnxEncoder({ onnx: values.model, tokenizer: values.tokenizer, processes: 1 })
const sets = await Promise.all(positionals.map(async (file) => await labelledArticles(file)))

const frequencies = documentFrequencies(sets[0] ?? [], clusteringWeights().text)
const frequenciesFile = projectPath('models/clustering/document-frequencies.json.gz')
writeFileSync(frequenciesFile, gzipSync(JSON.stringify(frequencies), { level: 9 }))
console.log(`${frequencies.documents} articles: ${Object.keys(frequencies.words).length} words`)

const encoded: { article: LabelledArticle; lead: Float32Array; headline: Float32Array }[][] = []
for (const articles of sets) encoded.push(await withVectors(articles))
await encoder.close()
writeMean((encoded[0] ?? []).map(({ lead }) => lead))

const model = clusteringModel()
const labelled = encoded.map((articles) => articles.flatMap(featuresOf))
const learned = { body: learn('body'), headline: learn('headline') }
writeWeights(learned)

async function withVectors(articles: readonly LabelledArticle[]) {
  const found: (typeof encoded)[number] = []
  for (let from = 0; from < articles.length; from += BATCH) {
    const some = articles.slice(from, from + BATCH)
    const leads = await encoder.leads(
      some.map(({ title, text }) => ({ title: title ?? '', body: bodyOf(title, text) })),
    )
    const headlines = await encoder.leads(
      some.map(({ title, text }) => ({ title: title ?? '', body: (title ?? '') === '' ? text : '' })),
    )
    some.forEach((article, i) => {
      const [lead, headline] = [leads[i], headlines[i]]
      if (lead === undefined || headline === undefined) throw new Error('The encoder gave no vector')
      found.push({ article, lead, headline })
    })
    console.log(`${found.length} encoded`)
  }
  return found
}

function writeMean(leads: readonly Float32Array[]): void {
  const sum = new Float64Array(encoder.dim)
  for (const lead of leads) lead.forEach((value, i) => (sum[i] = (sum[i] ?? 0) + value))
  const means = [...sum].map((value) => Number((value / leads.length).toPrecision(7)))
  const mean = { model: `${encoder.model}:lead`, values: means }
  writeFileSync(projectPath('models/clustering/mean-vector.json'), `${JSON.stringify(mean)}\n`)
}

function featuresOf({ article, lead, headline }: (typeof encoded)[number][number]): LabelledFeatures[] {
  const { title, text, published, story } = article
  const found = features(
    {
      title,
      text,
      dated: published !== null,
      occurred_at: published ?? 0,
      lead_vector: f32(`${encoder.model}:lead`, lead),
      title_vector: f32(`${encoder.model}:title`, headline),
    },
    model,
  )
  return found === null || story === null ? [] : [{ story, features: found }]
}

/** Headlines are learned from every article that has a title, as if it had nothing else. */
function learn(kind: Kind): PairWeights {
  const current = model.weights.pair[kind]
  const names = Object.keys(current).filter((name) => name !== 'bias')
  const pairs = labelled.map((articles, i) => {
    const titled = articles.filter((_, at) => kind === 'body' || titles(i)[at] === true)
    const shown = kind === 'body' ? titled : titled.map(withoutBody)
    return labelledPairs(shown, kind, names)
  })
  const weights = fit(pairs.filter(({ labels }) => labels.includes(true) && labels.includes(false)))
  const all = [...names, 'bias'].map((name, i): [string, number] => [name, Math.round((weights[i] ?? 0) * 100) / 100])
  console.log(kind, `${pairs.reduce((sum, { rows }) => sum + rows.length, 0)} pairs`, JSON.stringify(all))
  return Object.fromEntries(all.map(([name, value]) => [name, SET_BY_HAND.has(name) ? (current[name] ?? 0) : value]))
}

/** Of the labelled articles of a set. */
function titles(set: number): boolean[] {
  return (encoded[set] ?? []).flatMap(({ article: { story, title } }) => (story === null ? [] : [(title ?? '') !== '']))
}

function withoutBody({ story, features: own }: LabelledFeatures): LabelledFeatures {
  return { story, features: { ...own, hasBody: false } }
}

function writeWeights(pair: Readonly<Record<Kind, PairWeights>>): void {
  const whole: unknown = JSON.parse(readFileSync(WEIGHTS, 'utf8'))
  writeFileSync(WEIGHTS, `${JSON.stringify({ ...(whole as object), pair }, null, 2)}\n`)
}
