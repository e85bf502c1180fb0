/**
 * Sentences of unlabelled articles for the teacher, a line each: number of the article, tab, sentence.
 * `npx tsx models/ner/articles.ts PLACES.tsv.gz OUT.tsv ARTICLES.jsonl.gz COUNT SENTENCES …` takes of each file the
 * first SENTENCES sentences of COUNT articles: half of them spread over the file, half those that name most countries.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parsePlaces } from '../../src/language/places/places.ts'
import { plainText } from '../../src/language/plain-text.ts'
import { sentences } from '../../src/language/sentences.ts'

const file = (path: string): string => gunzipSync(readFileSync(path)).toString('utf8')
const [placesFile = '', out = '', ...sources] = process.argv.slice(2)
const places = parsePlaces(file(placesFile))
const HOME = 'US'
/** Longer sentences are lists; shorter ones, furniture. */
const LONGEST = 600
const SHORTEST = 15

interface NerRow {
  readonly title?: string
  readonly text?: string
  readonly sentence?: string
}

/** Headline first, unless the text repeats it; one line each. */
function linesOf({ title = '', text = '', sentence = '' }: NerRow, limit: number): string[] {
  const plain = plainText(text === '' ? sentence : text)
  const lines = sentences(plain).map(({ start, end }) => plain.slice(start, end).replace(/\s+/gu, ' '))
  const all = lines[0] === title || title === '' ? lines : [title.replace(/\s+/gu, ' '), ...lines]
  return all.filter((line) => line.length >= SHORTEST && line.length <= LONGEST).slice(0, limit)
}

/** How many different foreign countries a text names by one word. */
function foreign(lines: readonly string[]): number {
  const named = lines.join(' ').match(/\p{Lu}\p{L}{3,}/gu) ?? []
  const found = named.flatMap((word) => places.get(word.toLowerCase()) ?? [])
  return new Set(found.filter(({ kind, country }) => kind === 'country' && country !== HOME)).size
}

const chosen: string[][] = []
for (let i = 0; i + 2 < sources.length; i += 3) {
  const [path = '', count, limit] = sources.slice(i, i + 3)
  const rows = file(path).trimEnd().split('\n')
  const articles = rows.map((line) => linesOf(JSON.parse(line) as NerRow, Number(limit)))
  const most = Math.min(Number(count), articles.length)
  const spread = new Set(Array.from({ length: most >> 1 }, (_, j) => Math.floor((j * articles.length) / (most >> 1))))
  const rest = articles.flatMap((lines, at) => (spread.has(at) ? [] : [{ lines, rank: foreign(lines) }]))
  rest.sort((a, b) => b.rank - a.rank)
  chosen.push(...articles.filter((_, at) => spread.has(at)), ...rest.slice(0, most - spread.size).map((r) => r.lines))
}
writeFileSync(out, chosen.flatMap((lines, article) => lines.map((line) => `${article}\t${line}\n`)).join(''))
console.log(`${chosen.length} articles, ${chosen.flat().length} sentences`)
