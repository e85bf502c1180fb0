/**
 * Writes means.json, the mean vector of each language: `npx tsx models/cross-language/means.ts SHARED_DATA`.
 *
 * Languages of NTREX-128: mean over the titles and the leads of its visible documents, which are the same in every
 * language. Other languages that have sentences under `ner/multi`: the mean of these, moved by how far the sentences of
 * languages in both lie from NTREX on average. Norwegian: the mean of Danish and Swedish. `all`: the mean of all.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { loadCrossModel, openCrossVocabulary } from '../../src/adapters/onnx/cross-model.ts'
import { DIM } from '../../src/adapters/vectors.ts'

const [data = '../shared/data'] = process.argv.slice(2)
const linesOf = (path: string): string[] =>
  gunzipSync(readFileSync(join(data, path)))
    .toString('utf8')
    .trimEnd()
    .split('\n')
const encode = await loadCrossModel(await openCrossVocabulary())

const add = (...vectors: Float32Array[]): Float32Array =>
  Float32Array.from({ length: DIM }, (_, i) => vectors.reduce((sum, vector) => sum + (vector[i] ?? 0), 0))
const scaled = (vector: Float32Array, by: number): Float32Array => vector.map((value) => value * by)
const mean = (vectors: Float32Array[]): Float32Array => scaled(add(...vectors), 1 / vectors.length)

async function meanOf(texts: readonly string[]): Promise<Float32Array> {
  const rows = await encode(texts)
  return mean(texts.map((_, i) => rows.subarray(i * DIM, (i + 1) * DIM)))
}

/** Sentences of a file of names, whose words stand apart. */
const SENTENCES = 400
function sentencesOf(name: string): string[] {
  const sentences: string[][] = [[]]
  for (const line of linesOf(`ner/multi/${name}.bio.gz`)) {
    const [word = ''] = line.split('\t')
    if (word === '') sentences.push([])
    else sentences.at(-1)?.push(word)
  }
  const long = sentences.filter(({ length }) => length >= 8)
  const step = Math.max(1, Math.floor(long.length / SENTENCES))
  return long
    .filter((_, i) => i % step === 0)
    .slice(0, SENTENCES)
    .map((words) => words.join(' '))
}

interface Document {
  readonly language: string
  readonly title: string
  readonly text: string
}

const documents = linesOf('stories/ntrex-visible.jsonl.gz').map((line) => JSON.parse(line) as Document)
const means = new Map<string, Float32Array>()
for (const language of new Set(documents.map((document) => document.language))) {
  const own = documents.filter((document) => document.language === language)
  means.set(language, await meanOf(own.flatMap(({ title, text }) => [title, `${title} ${text}`])))
}
const all = mean([...means.values()])

const IN_BOTH = {
  de: 'dev-de-germeval',
  fi: 'train-fi-turku',
  pt: 'train-pt-bosque',
  sv: 'train-sv-webbnyheter',
  zh: 'train-zh-gsdsimp',
}
const moves: Float32Array[] = []
for (const [language, name] of Object.entries(IN_BOTH))
  moves.push(add(means.get(language) ?? all, scaled(await meanOf(sentencesOf(name)), -1)))
for (const [language, name] of Object.entries({
  da: 'train-da-ddt',
  hr: 'train-hr-set',
  sr: 'train-sr-set',
  sk: 'train-sk-snk',
}))
  means.set(language, add(await meanOf(sentencesOf(name)), mean(moves)))
means.set('no', mean([means.get('da') ?? all, means.get('sv') ?? all]))

const rounded = (vector: Float32Array): number[] => Array.from(vector, (value) => Number(value.toFixed(4)))
const lines = [...means, ['all', all] as const]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([language, vector]) => `"${language}": [${rounded(vector).join(',')}]`)
writeFileSync(new URL('means.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`)
