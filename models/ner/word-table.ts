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
import { DEMONYMS } from '../../src/language/places/demonyms.ts'
import { TITLES } from '../../src/language/names/titles.ts'
import { KNOWN } from '../../src/language/recogniser/lexicon.ts'
import { words } from '../../src/language/recogniser/words.ts'
import { CUES } from './lists.ts'
import { kMeans, type SparseVector } from './k-means.ts'

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
for (const [word, bit] of CUES) mark(word, bit)
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
