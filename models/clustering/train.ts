import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { clusteringModel, clusteringWeights } from '../../src/adapters/model-files.ts'
import { onnxEncoder } from '../../src/adapters/onnx/language-models.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { NO_CROSS_VECTORS } from '../../src/events/articles.ts'
import { f32 } from '../../src/events/vector.ts'
import { bodyOf } from '../../src/language/body-text.ts'
import type { PairWeights, Weights } from '../../src/language/clustering/model.ts'
import { byHalf, judgedPairs, type JudgedPair } from '../../src/quality/judged-pairs.ts'
import { keptLeads } from '../../src/quality/kept-leads.ts'
import { type LabelledArticle, labelledArticles } from '../../src/quality/labelled-articles.ts'
import { textOf } from '../../src/quality/labelled-file.ts'
import { entityKeys } from '../../src/stages/clustered/entity-keys.ts'
import { features, type Features } from '../../src/stages/clustered/features.ts'
import type { PairKind } from '../../src/stages/clustered/pair.ts'
import { tokens, firstWords } from '../../src/stages/clustered/tokens.ts'
import { fit } from './logistic.ts'
import { judgedRows, labelledPairs, type LabelledFeatures } from './pairs.ts'

/** Terms in fewer documents than this are left out: they count as unknown, which loses nothing that was measured. */
const MIN_DOCUMENTS = 10

type ClusteringCounts = Map<string, number>

const add = (counts: ClusteringCounts, terms: Iterable<string>): void => {
  for (const term of new Set(terms)) counts.set(term, (counts.get(term) ?? 0) + 1)
}

const kept = (counts: ClusteringCounts): Record<string, number> =>
  Object.fromEntries([...counts].filter(([, n]) => n >= MIN_DOCUMENTS).sort(([a], [b]) => (a < b ? -1 : 1)))

/** In how many articles each word, each name and each word of a title occurs. */
function documentFrequencies(
  articles: readonly { readonly title: string | null; readonly text: string }[],
  { body_words, entity_characters }: Weights['text'],
) {
  const words: ClusteringCounts = new Map()
  const entities: ClusteringCounts = new Map()
  const titles: ClusteringCounts = new Map()
  for (const { title, text } of articles) {
    const rest = bodyOf(title, text)
    const titleTokens = tokens(title ?? '')
    add(titles, titleTokens)
    add(words, [...titleTokens, ...tokens(firstWords(rest, body_words))])
    add(entities, entityKeys(rest.slice(0, entity_characters)).keys())
  }
  return { documents: articles.length, words: kept(words), entities: kept(entities), titles: kept(titles) }
}

/**
 * Learns from a news corpus in how many articles each term occurs and the mean of its lead vectors, then from its
 * labelled pairs and those of further sets the weights of a pair (see the README beside this file):
 *
 *     nice -n 10 npx tsx models/clustering/train.ts CORPUS.jsonl.gz SET.jsonl.gz ... --judged PAIRS.jsonl.gz \
 *       --model MODEL.onnx --tokenizer TOKENIZER.json
 *
 * `--judged` names pairs of articles of the corpus; half of them is learned from, and so is that half of `labels/pairs.jsonl`.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { model: { type: 'string' }, tokenizer: { type: 'string' }, judged: { type: 'string', multiple: true } },
})
const [corpus] = positionals
if (corpus === undefined || values.model === undefined || values.tokenizer === undefined) {
  throw new Error(
    'usage: train.ts CORPUS.jsonl.gz SET.jsonl.gz ... [--judged PAIRS] --model MODEL.onnx --tokenizer TOKENIZER.json',
  )
}

/** What the labels cannot teach stays as `weights.json` has it: their stories are a day long, or have no dates at all. */
const SET_BY_HAND: ReadonlySet<string> = new Set(['gap_days', 'undated'])

const BATCH = 100
/** Characters of a short text: what a feed gives of an article. */
const SHORT = 300
const WEIGHTS = projectPath('models/clustering/weights.json')
const pool = await onnxEncoder({ onnx: values.model, tokenizer: values.tokenizer, processes: 1 })
const encoder = keptLeads(pool, projectPath('.story/training'))
const sets = await Promise.all(positionals.map(async (file) => labelledArticles(file)))

const frequencies = documentFrequencies(sets[0] ?? [], clusteringWeights().text)
const frequenciesFile = projectPath('models/clustering/document-frequencies.json.gz')
writeFileSync(frequenciesFile, gzipSync(JSON.stringify(frequencies), { level: 9 }))
console.log(`${frequencies.documents} articles: ${Object.keys(frequencies.words).length} words`)

interface Encoded {
  readonly article: LabelledArticle
  readonly lead: Float32Array
  readonly headline: Float32Array
}

const encoded: Encoded[][] = []
for (const articles of sets) encoded.push(await withVectors(articles))
const short = await withVectors((sets[0] ?? []).map((article) => ({ ...article, text: article.text.slice(0, SHORT) })))
encoder.save()
await pool.close()
writeMean((encoded[0] ?? []).map(({ lead }) => lead))

const model = clusteringModel()
const labelled = encoded.map((articles) => articles.flatMap(labelledFeatures))
const judged = judgedToLearn()
const ofCorpus = new Map((encoded[0] ?? []).map((one) => [one.article.id, featuresOf(one)]))
const ofShort = new Map(short.map((one) => [one.article.id, featuresOf(one)]))
const learned = { body: learn('body'), headline: learn('headline'), cross: model.weights.pair.cross }
writeWeights(learned)

async function withVectors(articles: readonly LabelledArticle[]) {
  const found: Encoded[] = []
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

/** Judged pairs of the corpus, of the weeks that are learned from. */
function judgedToLearn(): readonly JudgedPair[] {
  const files = [projectPath('models/clustering/labels/pairs.jsonl'), ...(values.judged ?? [])]
  const publishedOf = new Map((sets[0] ?? []).map(({ id, published }) => [id, published]))
  const pairs = files.flatMap((file) => judgedPairs(textOf(readFileSync(file))))
  return byHalf(
    pairs.filter(({ a, b }) => publishedOf.has(a) && publishedOf.has(b)),
    publishedOf,
  ).learn
}

function labelledFeatures(one: Encoded): LabelledFeatures[] {
  const found = featuresOf(one)
  return found === null || one.article.story === null ? [] : [{ story: one.article.story, features: found }]
}

function featuresOf({ article, lead, headline }: Encoded): Features | null {
  const { title, text, published } = article
  return features(
    {
      title,
      text,
      dated: published !== null,
      occurred_at: published ?? 0,
      lead_vector: f32(`${encoder.model}:lead`, lead),
      title_vector: f32(`${encoder.model}:title`, headline),
      ...NO_CROSS_VECTORS,
    },
    model,
  )
}

/** Headlines are learned from every article that has a title, as if it had nothing else. */
function learn(kind: PairKind): PairWeights {
  const current = model.weights.pair[kind]
  const names = Object.keys(current).filter((name) => name !== 'bias')
  const pairs = labelled.map((articles, i) => {
    const titled = articles.filter((_, at) => kind === 'body' || titles(i)[at] === true)
    const shown = kind === 'body' ? titled : titled.map(({ story, features: own }) => ({ story, features: bare(own) }))
    return labelledPairs(shown, kind, names)
  })
  const read =
    kind === 'body' ? [ofCorpus, ofShort] : [new Map([...ofCorpus].map(([id, one]) => [id, one && bare(one)]))]
  const weights = fit(
    [...pairs, ...read.map((of) => judgedRows(judged, of, names))].filter(
      ({ labels }) => labels.includes(true) && labels.includes(false),
    ),
  )
  const all = [...names, 'bias'].map((name, i): [string, number] => [name, Math.round((weights[i] ?? 0) * 100) / 100])
  console.log(kind, `${pairs.reduce((sum, { rows }) => sum + rows.length, 0)} pairs`, JSON.stringify(all))
  return Object.fromEntries(all.map(([name, value]) => [name, SET_BY_HAND.has(name) ? (current[name] ?? 0) : value]))
}

/** Of the labelled articles of a set. */
function titles(set: number): boolean[] {
  return (encoded[set] ?? []).flatMap(({ article: { story, title } }) => (story === null ? [] : [(title ?? '') !== '']))
}

function bare(own: Features): Features {
  return { ...own, hasBody: false }
}

function writeWeights(pair: Readonly<Record<PairKind, PairWeights>>): void {
  const whole: unknown = JSON.parse(readFileSync(WEIGHTS, 'utf8'))
  writeFileSync(WEIGHTS, `${JSON.stringify({ ...(whole as object), pair }, null, 2)}\n`)
}
