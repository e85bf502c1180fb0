/**
 * Learns from unlabelled articles (counts only) in which company each word stands and how often it is written small,
 * adds open name lists, and writes `lexicon.tsv.gz`. Usage, some two minutes:
 * `npm install --prefix DIR @faker-js/faker@10 @cspell/dict-companies@3.2.13`, then
 * `nice -n 10 npx tsx models/ner/word-table.ts ARTICLES.jsonl.gz DIR`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { TITLES } from '../../src/language/names/mentions.ts'
import { DEMONYMS } from '../../src/language/places/places.ts'
import { LOC_CUES, ORG_CUES } from '../../src/language/recogniser/case-features.ts'
import { KNOWN } from '../../src/language/recogniser/lexicon.ts'
import { words } from '../../src/language/recogniser/words.ts'

/** Dimensions in ascending order and their values; unit length. */
interface SparseVector {
  readonly at: readonly number[]
  readonly values: readonly number[]
}

/** Spherical k-means, begun from the first k vectors (the most frequent words), so that it is reproducible. */
function kMeans(
  vectors: readonly SparseVector[],
  { dim, k, rounds }: { readonly dim: number; readonly k: number; readonly rounds: number },
): { readonly of: Int32Array; readonly centres: readonly Float32Array[] } {
  const of = new Int32Array(vectors.length)
  // Dimension-major, so that one non-zero of a word meets all centres in a row of memory.
  const centres = new Float32Array(dim * k)
  vectors.slice(0, k).forEach(({ at, values }, centre) => {
    at.forEach((d, j) => (centres[d * k + centre] = values[j] ?? 0))
  })
  const scores = new Float32Array(k)
  for (let round = 0; round < rounds; round++) {
    let moved = 0
    vectors.forEach(({ at, values }, i) => {
      scores.fill(0)
      for (let j = 0; j < at.length; j++) {
        const value = values[j] ?? 0
        const row = (at[j] ?? 0) * k
        for (let c = 0; c < k; c++) scores[c] = (scores[c] ?? 0) + value * (centres[row + c] ?? 0)
      }
      let best = 0
      for (let c = 1; c < k; c++) if ((scores[c] ?? 0) > (scores[best] ?? 0)) best = c
      if (of[i] !== best) moved++
      of[i] = best
    })
    centres.fill(0)
    vectors.forEach(({ at, values }, i) => {
      const c = of[i] ?? 0
      at.forEach((d, j) => (centres[d * k + c] = (centres[d * k + c] ?? 0) + (values[j] ?? 0)))
    })
    for (let c = 0; c < k; c++) {
      let square = 0
      for (let d = 0; d < dim; d++) square += (centres[d * k + c] ?? 0) ** 2
      const length = Math.sqrt(square) || 1
      for (let d = 0; d < dim; d++) centres[d * k + c] = (centres[d * k + c] ?? 0) / length
    }
    console.log(`round ${round}: ${moved} moved`)
  }
  return {
    of,
    centres: Array.from({ length: k }, (_, c) => Float32Array.from({ length: dim }, (_, d) => centres[d * k + c] ?? 0)),
  }
}

const [corpus = '', packages = '.'] = process.argv.slice(2)
const RARE = 12
const CONTEXTS = 1500
const FINE = 384
const COARSE = 48

const articles = gunzipSync(readFileSync(corpus)).toString('utf8').split('\n').filter(Boolean)
const paragraphs = articles.flatMap((line) => z.object({ text: z.string() }).parse(JSON.parse(line)).text.split('\n'))
const shape = (word: string): string => word.replace(/\p{N}/gu, '0')

const count = new Map<string, number>()
const small = new Map<string, readonly [number, number]>()
const texts = paragraphs.map((paragraph) => words(paragraph, 0, paragraph.length).texts.map(shape))
for (const text of texts) {
  text.forEach((word, i) => {
    count.set(word, (count.get(word) ?? 0) + 1)
    if (i === 0 || !/^[\p{L},;]/u.test(text[i - 1] ?? '') || !/^\p{L}/u.test(word)) return
    const lower = word.toLowerCase()
    const [written, all] = small.get(lower) ?? [0, 0]
    small.set(lower, [written + (word === lower ? 1 : 0), all + 1])
  })
}
const frequent = [...count].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
const vocabulary = frequent.filter(([word, n]) => n >= RARE && /^\p{L}/u.test(word)).map(([word]) => word)
const contexts = new Map(frequent.slice(0, CONTEXTS).map(([word], i) => [word, i]))
const rowOf = new Map(vocabulary.map((word, i) => [word, i]))
console.log(`${vocabulary.length} words`)

// Neighbours to the left and right, each side a dimension of its own.
const together = vocabulary.map(() => new Map<number, number>())
const total = new Float64Array(2 * CONTEXTS + 2)
const meet = (row: number, context: number): void => {
  const counts = together[row]
  counts?.set(context, (counts.get(context) ?? 0) + 1)
  total[context] = (total[context] ?? 0) + 1
}
for (const text of texts) {
  text.forEach((word, i) => {
    const row = rowOf.get(word)
    if (row === undefined) return
    const before = i === 0 ? CONTEXTS : contexts.get(text[i - 1] ?? '')
    const after = i === text.length - 1 ? CONTEXTS : contexts.get(text[i + 1] ?? '')
    if (before !== undefined) meet(row, before)
    if (after !== undefined) meet(row, CONTEXTS + 1 + after)
  })
}
const grand = total.reduce((sum, n) => sum + n, 0)
const vectors = together.map((counts): SparseVector => {
  const mine = [...counts.values()].reduce((sum, n) => sum + n, 0)
  const entries = [...counts]
    .map(([at, n]) => [at, Math.log((n * grand) / (mine * (total[at] ?? 1)))] as const)
    .filter(([, value]) => value > 0)
    .sort(([a], [b]) => a - b)
  const length = Math.hypot(...entries.map(([, value]) => value)) || 1
  return { at: entries.map(([at]) => at), values: entries.map(([, value]) => value / length) }
})
const fine = kMeans(vectors, { dim: total.length, k: FINE, rounds: 12 })
const centres = fine.centres.map((centre): SparseVector => ({ at: [...centre.keys()], values: [...centre] }))
const coarse = kMeans(centres, { dim: total.length, k: COARSE, rounds: 20 })

const known = new Map<string, number>()
const mark = (word: string, bit: number): unknown => known.set(word, (known.get(word) ?? 0) | bit)
const List = z.array(z.string()).optional()
const Names = z.object({ generic: List, female: List, male: List }).optional()
const Locale = z.object({ person: z.object({ first_name: Names, last_name: Names }).optional() })
const load = createRequire(`${resolve(packages)}/package.json`)
const { allLocales } = z.object({ allLocales: z.record(z.string(), z.unknown()) }).parse(load('@faker-js/faker'))
const latin = 'en en_IN en_NG en_GH en_ZA es fr de it ar tr id_ID vi pt_BR nl sv pl zu_ZA yo_NG fi'.split(' ')
for (const locale of latin) {
  const { person } = Locale.parse(allLocales[locale])
  const lists = [
    [person?.first_name, KNOWN.firstName],
    [person?.last_name, KNOWN.lastName],
  ] as const
  for (const [names, bit] of lists) {
    const all = [...(names?.generic ?? []), ...(names?.female ?? []), ...(names?.male ?? [])]
    for (const name of all)
      if (/^\p{Lu}[\p{L}\p{M}]{1,}$/u.test(name) && /\p{Script=Latin}/u.test(name)) mark(name, bit)
  }
}
const companies = readFileSync(resolve(packages, 'node_modules/@cspell/dict-companies/dict/companies.txt'), 'utf8')
for (const name of companies.split('\n')) {
  const plain = (small.get(name.toLowerCase())?.[0] ?? 0) > 3
  if (/^\p{Lu}[\p{L}]{2,}$/u.test(name) && !plain) mark(name, KNOWN.company)
}
for (const word of ORG_CUES) mark(word, KNOWN.orgCue)
for (const word of LOC_CUES) mark(word, KNOWN.placeCue)
for (const word of TITLES) mark(word, KNOWN.title)
for (const word of DEMONYMS) mark(word, KNOWN.demonym)

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
const lowered = (word: string): number => {
  const [written, all] = small.get(word.toLowerCase()) ?? [0, 0]
  return all < 3 ? 7 : Math.round((6 * written) / all)
}
const cueBits = (word: string): number => known.get(word.toLowerCase()) ?? 0
const listed = [...known.keys()].flatMap((word) => [word, capital(word)])
const rows = [...new Set([...vocabulary, ...listed])].sort().map((word) => {
  const cluster = fine.of[rowOf.get(word) ?? -1]
  const upper = cluster === undefined ? 0 : (coarse.of[cluster] ?? 0) + 1
  const bits = (known.get(word) ?? 0) | cueBits(word)
  return [word, cluster === undefined ? 0 : cluster + 1, upper, lowered(word), bits].join('\t')
})
const file = gzipSync(rows.join('\n'), { level: 9 })
writeFileSync(new URL('lexicon.tsv.gz', import.meta.url), file)
console.log(`${rows.length} rows, ${file.length} bytes`)
for (const word of ['Trump', 'Obama', 'Paris', 'Ohio', 'Google', 'FBI', 'Senate', 'Mary', 'said', 'Monday']) {
  const mine = fine.of[rowOf.get(word) ?? -1]
  console.log(
    word,
    vocabulary
      .filter((_, i) => fine.of[i] === mine)
      .slice(0, 12)
      .join(' '),
  )
}
