import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { clusteringWeights } from '../../src/adapters/clustering-model.ts'
import { onnxEncoder } from '../../src/adapters/onnx/language-models.ts'
import { projectPath } from '../../src/project-path.ts'
import { labelledArticles } from '../../src/quality/stories.ts'
import { bodyOf } from '../../src/language/body-of.ts'
import { documentFrequencies } from './learn.ts'

/**
 * Learns from a news corpus in how many articles each term occurs, and the mean of its lead vectors:
 *
 *     nice -n 10 npx tsx models/clustering/train.ts ARTICLES.jsonl.gz --model MODEL.onnx --tokenizer TOKENIZER.json
 *
 * The weights in `weights.json` were set by hand from fits on labelled pairs and are not touched.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { model: { type: 'string' }, tokenizer: { type: 'string' } },
})
const [file] = positionals
if (file === undefined || values.model === undefined || values.tokenizer === undefined) {
  throw new Error('usage: train.ts ARTICLES.jsonl.gz --model MODEL.onnx --tokenizer TOKENIZER.json')
}

const articles = await labelledArticles(file)
const frequencies = documentFrequencies(articles, clusteringWeights().text)
const frequenciesFile = projectPath('models/clustering/document-frequencies.json.gz')
writeFileSync(frequenciesFile, gzipSync(JSON.stringify(frequencies), { level: 9 }))
console.log(`${articles.length} articles: ${Object.keys(frequencies.words).length} words`)

const encoder = await onnxEncoder({ onnx: values.model, tokenizer: values.tokenizer, processes: 1 })
const sum = new Float64Array(encoder.dim)
for (let from = 0; from < articles.length; from += 100) {
  const leads = articles
    .slice(from, from + 100)
    .map(({ title, text }) => ({ title: title ?? '', body: bodyOf(title, text) }))
  for (const lead of await encoder.leads(leads)) lead.forEach((value, i) => (sum[i] = (sum[i] ?? 0) + value))
  console.log(`${Math.min(from + 100, articles.length)} encoded`)
}
await encoder.close()
const mean = {
  model: `${encoder.model}:lead`,
  values: [...sum].map((value) => Number((value / articles.length).toPrecision(7))),
}
writeFileSync(projectPath('models/clustering/mean-vector.json'), `${JSON.stringify(mean)}\n`)
