/**
 * Pieces, units and labels as the service makes them, for the Python that trains on them. A unit is a word, or the words
 * that one piece joins. Usage: `npx tsx models/cross-reader/prepare.ts ../shared/data OUT CACHE`. Writes OUT/*.bin, as
 * `models/ner/data.py` reads them, and OUT/*.mentions.json.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { CROSS_MODEL } from '../../src/adapters/onnx/cross-model.ts'
import { sentencePieces, spaced } from '../../src/adapters/onnx/cross-pieces.ts'
import { onnxModels } from '../../src/adapters/onnx/language-models.ts'
import { openUnigram } from '../../src/adapters/onnx/unigram.ts'
import { fetchModel } from '../../src/engines/fetch.ts'
import { TAGS } from '../../src/language/recogniser/tags.ts'
import { readWords, sentenceAt } from '../../src/language/recogniser/words.ts'
import { writtenTokens } from '../../src/language/recogniser/written-tokens.ts'
import { groupedBy } from '../../src/language/grouped-by.ts'
import { sentences } from '../../src/language/sentences.ts'
import type { SentenceInWords } from '../../src/ports/reader.ts'
import { parseBio } from '../../src/quality/ner.ts'

const [data = '', out = '', cache = ''] = process.argv.slice(2)
const split = openUnigram(readFileSync(CROSS_MODEL.pieces))
const UNKNOWN = 3
/** No label. */
const UNKNOWN_TAG = -1
/** Events are labelled in one set only. */
const NO_EVENTS = TAGS.indexOf('B-EVENT')

/** A sentence and, where it is labelled, the tag of each word. Sentences of one article have its number. */
interface TaggedSentence {
  readonly article: number
  readonly sentence: SentenceInWords
  readonly tags: readonly number[] | null
}

/** Ids of the pieces and tags of the units of a sentence. */
function unitsOf({ sentence, tags }: Pick<TaggedSentence, 'sentence' | 'tags'>) {
  const { indexes, counts } = sentencePieces(split, spaced(sentence))
  const starts = counts.flatMap((count, word) => (count > 0 ? [word] : []))
  const units = starts.map((word, i) => {
    const joined = tags?.slice(word, starts[i + 1]) ?? []
    const tag = tags === null ? UNKNOWN_TAG : (joined.find((one) => one > 0) ?? 0)
    return { tag: tag >= NO_EVENTS ? UNKNOWN_TAG : tag, count: counts[word] ?? 0 }
  })
  return { ids: indexes.map((index) => (index < 0 ? UNKNOWN : index)), units }
}

function write(name: string, all: readonly TaggedSentence[]): void {
  const read = all.map((one) => ({ article: one.article, ...unitsOf(one) })).filter(({ units }) => units.length > 0)
  const units = read.flatMap((one) => one.units)
  const arrays = {
    articles: Int32Array.from(read, ({ article }) => article),
    lengths: Int32Array.from(read, (one) => one.units.length),
    tags: Int8Array.from(units, ({ tag }) => tag),
    counts: Uint8Array.from(units, ({ count }) => count),
    pieces: Int32Array.from(read.flatMap(({ ids }) => ids)),
  }
  const types = { Int32Array: 'int32', Int8Array: 'int8', Uint8Array: 'uint8' }
  const described = Object.entries(arrays).map(([key, values]) => [
    key,
    types[values.constructor.name as keyof typeof types],
    values.length,
  ])
  const header = Buffer.from(`${JSON.stringify({ features: 0, arrays: described })}\n`)
  const bodies = Object.values(arrays).map((values) => Buffer.from(values.buffer, values.byteOffset, values.byteLength))
  writeFileSync(`${out}/${name}.bin`, Buffer.concat([header, ...bodies]))
  console.log(`${name}: ${read.length} sentences, ${units.length} units, ${arrays.pieces.length} pieces`)
}

/** Labelled sentences, written as texts are. */
function labelled(file: string, isInOrder: boolean): TaggedSentence[] {
  return parseBio(gunzipSync(readFileSync(file)).toString('utf8')).map(({ tokens, labels }, i) => {
    const { text, spans } = writtenTokens(tokens)
    const sentence = sentenceAt(text, 0, text.length)
    let token = 0
    let before = -1
    const tags = sentence.words.starts.map((start) => {
      while (start >= (spans[token]?.end ?? Infinity)) token++
      const tag = Math.max(0, TAGS.indexOf(labels[token] ?? 'O'))
      const isInside = before === token && tag % 2 === 1
      before = token
      return isInside ? tag + 1 : tag
    })
    return { article: isInOrder ? 0 : i, sentence, tags }
  })
}

const lines = (file: string): Record<string, unknown>[] =>
  gunzipSync(readFileSync(file))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** Sentences of texts without labels. */
const unlabelled = (texts: readonly string[]): TaggedSentence[] =>
  texts.flatMap((text, article) =>
    readWords(text, sentences(text)).map((sentence) => ({ article, sentence, tags: null })),
  )

/** One in so many articles of AllSides is read. */
const ENGLISH = 8

/** Sentences in English with the tags of the reader (`models/reader`). */
async function asReadInEnglish(all: readonly TaggedSentence[]): Promise<TaggedSentence[]> {
  const models = await onnxModels({ ...(await fetchModel(cache, console.log)), processes: 2 })
  const articles = groupedBy(all, ({ article }) => String(article))
  const tagged = await Promise.all(
    [...articles.values()].map(async (own) => {
      const readings = await models.reader.read(own.map(({ sentence }) => sentence))
      return own.flatMap((one, i) => (readings[i] === undefined ? [] : [{ ...one, tags: [...readings[i].tags] }]))
    }),
  )
  await models.close()
  return tagged.flat()
}

/** Mentions with a polarity: pieces of the sentence, positions of the target, -1, 0 or 1. */
function writeMentions(name: string): void {
  const rows = lines(`${data}/sentiment/${name}.jsonl.gz`).map(({ sentence, from, to, polarity }) => {
    const text = String(sentence)
    const [start, end] = [Number(from), Number(to)]
    const whole = sentenceAt(text, 0, text.length)
    const { indexes, counts } = sentencePieces(split, spaced(whole))
    const words = whole.words.texts.flatMap((_, w) =>
      (whole.words.starts[w] ?? 0) < end && (whole.words.ends[w] ?? 0) > start ? [w] : [],
    )
    const before = (word: number): number => counts.slice(0, word).reduce((sum, count) => sum + count, 0)
    const [first, last] = [before(words[0] ?? 0), before((words.at(-1) ?? -1) + 1)]
    return {
      ids: indexes.map((index) => (index < 0 ? UNKNOWN : index)).slice(0, 126),
      from: first,
      to: Math.max(last, first + 1),
      polarity: Number(polarity),
    }
  })
  writeFileSync(`${out}/${name}.mentions.json`, JSON.stringify(rows.filter(({ to }) => to <= 126)))
  console.log(`${name}: ${rows.length} mentions`)
}

mkdirSync(out, { recursive: true })
const IN_ORDER = /hr-set|sr-set|pt-bosque|da-ddt|fi-turku|wikigold|uner-ewt/
for (const folder of ['ner/multi', 'ner/train', 'ner/dev']) {
  for (const file of readdirSync(`${data}/${folder}`).filter((name) => name.endsWith('.bio.gz'))) {
    write(basename(file, '.bio.gz'), labelled(`${data}/${folder}/${file}`, IN_ORDER.test(file)))
  }
}
for (const name of ['gerntsa-train', 'rusentne-train', 'newsmtsc-train', 'newsmtsc-dev']) writeMentions(name)
const text = ({ title, text: body }: Record<string, unknown>): string => `${String(title)}\n${String(body)}`
write('ntrex', unlabelled(lines(`${data}/stories/ntrex-visible.jsonl.gz`).map(text)))
const english = lines(`${data}/stories/allsides-2016-2018.jsonl.gz`).filter((_, i) => i % ENGLISH === 0)
write('allsides', await asReadInEnglish(unlabelled(english.map((article) => text(article).slice(0, 3_000)))))
const mentioned = (name: string): string[] => [
  ...new Set(lines(`${data}/sentiment/${name}.jsonl.gz`).map(({ sentence }) => String(sentence))),
]
write('snippets', unlabelled(['gerntsa-train', 'rusentne-train', 'newsmtsc-train'].flatMap(mentioned)))
