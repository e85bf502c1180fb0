/**
 * Words, pieces, features and labels as the service makes them, for the Python that trains on them. Usage:
 * `npx tsx models/ner/prepare.ts TOKENIZER.json OUT gold|dev FILE.bio.gz…`
 * `npx tsx models/ner/prepare.ts TOKENIZER.json OUT silver SENTENCES.tsv SPANS.txt` (of `articles.ts`, `Teacher.java`)
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { loadTokenizer } from '../../src/adapters/onnx/vocabulary.ts'
import { openLexicon } from '../../src/language/recogniser/lexicon.ts'
import { READER_FEATURES, readerFeatures } from '../../src/language/recogniser/reader-features.ts'
import { openPlaces } from '../../src/language/places/places.ts'
import { remembered } from '../../src/language/memoize.ts'
import { cleanSpan } from '../../src/language/recogniser/clean.ts'
import { type NameType, tagsOfSpans } from '../../src/language/recogniser/tags.ts'
import { words } from '../../src/language/recogniser/words.ts'
import type { Words } from '../../src/ports/reader.ts'
import { type LabelledWords, readLabelled } from './corpus.ts'

/** Sentences that follow one another in one article have the same number; a number of its own stands alone. */
interface PlacedWords extends LabelledWords {
  readonly article: number
}

/** A word longer than this is cut, as the service does; a word that the tokenizer deletes is one unknown piece. */
const WORD_PIECES = 16

/** Writes sentences as numbers, for Python to read: a line of JSON (names, types, lengths), then the arrays. */
async function pieceWriter(tokenizerFile: string): Promise<(path: string, sentences: readonly PlacedWords[]) => void> {
  const tokenizer = await loadTokenizer(tokenizerFile)
  const unknown = tokenizer.token_to_id('[UNK]') ?? 0
  const lists = { lexicon: openLexicon(), places: openPlaces() }
  const piecesOf = remembered((word): readonly number[] => {
    const { ids } = tokenizer.encode(word, { add_special_tokens: false })
    return ids.length === 0 ? [unknown] : ids.slice(0, WORD_PIECES)
  })
  return (path, sentences) => {
    const pieces = sentences.flatMap(({ words }) => words.map(piecesOf))
    writeArrays(path, {
      articles: Int32Array.from(sentences, ({ article }) => article),
      lengths: Int32Array.from(sentences, ({ words }) => words.length),
      tags: Int8Array.from(sentences.flatMap(({ tags }) => tags)),
      counts: Uint8Array.from(pieces, (ids) => ids.length),
      pieces: Int32Array.from(pieces.flat()),
      features: joined(sentences.map(({ words }) => readerFeatures(words, lists))),
    })
    console.log(`${path}: ${sentences.length} sentences, ${pieces.length} words`)
  }
}

function joined(rows: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(rows.reduce((n, row) => n + row.length, 0))
  let at = 0
  for (const row of rows) {
    all.set(row, at)
    at += row.length
  }
  return all
}

type Numbers = Int32Array | Int8Array | Uint8Array
const TYPES: Readonly<Record<string, string>> = { Int32Array: 'int32', Int8Array: 'int8', Uint8Array: 'uint8' }

function writeArrays(path: string, arrays: Readonly<Record<string, Numbers>>): void {
  const described = Object.entries(arrays).map(([name, values]) => [
    name,
    TYPES[values.constructor.name],
    values.length,
  ])
  const header = Buffer.from(`${JSON.stringify({ features: READER_FEATURES, arrays: described })}\n`)
  const bodies = Object.values(arrays).map((values) => Buffer.from(values.buffer, values.byteOffset, values.byteLength))
  writeFileSync(path, Buffer.concat([header, ...bodies]))
}

/** Sets whose sentences come in the order of a text; the others are tweets and single paragraphs. */
const IN_ORDER = new Set(['wikigold', 'uner-ewt', 'conllpp-dev', 'worldwide-newswire-30pct'])
/** Every so many sentences of a set come once more in capitals, and once more as a headline. */
const VARIED = 12
/** Of the teacher's sentences without a capital inside, one in so many is enough. */
const QUIET = 3
/** A label that nobody is sure of: the loss leaves the word out. */
const UNSURE = -1

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
const variants: readonly ((word: string) => string)[] = [
  (word) => word.toUpperCase(),
  (word) => (word.length > 3 ? capital(word) : word),
]

/** Half of the tweets name nobody; every second of those is enough. An address is eight signs that say nothing. */
const TWEETS = new Set(['broad-twitter-corpus', 'wnut17-train'])
const isNoAddress = (token: string): boolean => !/^https?:/i.test(token)
const isWorthIt = ({ tags }: LabelledWords, i: number): boolean => i % 2 === 0 || tags.some((tag) => tag > 0)

function placed(sentences: readonly LabelledWords[], inOrder: boolean): PlacedWords[] {
  return sentences.map((sentence, i) => ({ ...sentence, article: inOrder ? 0 : i }))
}

/** Some sentences again, written as headlines are; each stands alone. */
function varied(sentences: readonly PlacedWords[]): PlacedWords[] {
  return variants.flatMap((vary, v) =>
    sentences
      .filter((_, i) => i % VARIED === v)
      .map(({ words: texts, tags }, i) => ({ tags, words: texts.map(vary), article: -1 - v * sentences.length - i })),
  )
}

/** Every tenth sentence of the only set with events measures how well those are learnt. */
const isHeld = (_: LabelledWords, i: number): boolean => i % 10 === 0

function gold(all: readonly LabelledWords[], name: string): PlacedWords[] {
  const sentences = placed(TWEETS.has(name) ? all.filter(isWorthIt) : all, IN_ORDER.has(name))
  return [...sentences, ...varied(sentences)]
}

interface CharacterSpan {
  readonly type: NameType
  readonly start: number
  readonly end: number
}

const TEACHER_TYPES: Readonly<Record<string, NameType>> = { PERSON: 'PER', ORGANIZATION: 'ORG', LOCATION: 'LOC' }

/** "PERSON 0 12;LOCATION 20 25": what the teacher found in a sentence, in characters. */
function parseSpans(line: string): CharacterSpan[] {
  return line.split(';').flatMap((cell) => {
    const [given = '', start, end] = cell.split(' ')
    const type = TEACHER_TYPES[given]
    return type === undefined ? [] : { type, start: Number(start), end: Number(end) }
  })
}

/** Tags of the service's words; -1 where a span begins or ends within a word. */
function silver(split: Words, found: readonly CharacterSpan[]): LabelledWords {
  const spans = found.flatMap(({ type, start, end }) => {
    const from = split.ends.findIndex((at) => at > start)
    const to = split.starts.findLastIndex((at) => at < end) + 1
    return from < 0 || to <= from ? [] : (cleanSpan(split.texts, { type, start: from, end: to }) ?? [])
  })
  const tags = tagsOfSpans(spans, split.texts.length)
  for (const { start, end } of found) {
    split.starts.forEach((at, i) => {
      const until = split.ends[i] ?? at
      if ((at < start && start < until) || (at < end && end < until)) tags[i] = UNSURE
    })
  }
  return { words: split.texts, tags }
}

function readSilver(sentenceFile: string, spanFile: string): PlacedWords[] {
  const lines = readFileSync(sentenceFile, 'utf8').trimEnd().split('\n')
  const spans = readFileSync(spanFile, 'utf8').split('\n')
  return lines.flatMap((line, i) => {
    const [article, text = ''] = line.split('\t')
    const split = words(text, 0, text.length)
    const sentence = { ...silver(split, parseSpans(spans[i] ?? '')), article: Number(article) }
    return i % QUIET === 0 || /\p{Lu}/u.test(text.slice(1)) ? sentence : []
  })
}

const [tokenizer = '', out = '', kind, ...from] = process.argv.slice(2)
const write = await pieceWriter(tokenizer)
if (kind === 'silver') write(out, readSilver(from[0] ?? '', from[1] ?? ''))
else {
  for (const file of from) {
    const name = basename(file, '.bio.gz')
    const path = `${out}/${name}.bin`
    const all = readLabelled(file, kind === 'gold' ? isNoAddress : undefined)
    if (kind !== 'gold') write(path, placed(all, IN_ORDER.has(name)))
    else if (name !== 'crossner-politics') write(path, gold(all, name))
    else {
      write(`${out}/${name}-held.bin`, placed(all.filter(isHeld), false))
      write(
        path,
        gold(
          all.filter((sentence, i) => !isHeld(sentence, i)),
          name,
        ),
      )
    }
  }
}
