/**
 * The reader's inputs for texts, as the service makes them, for the Python that trains on its states. Usage:
 * `npx tsx models/sentiment/inputs.ts TOKENIZER.json < TEXTS > INPUTS`, one JSON string a line. Each line of INPUTS has
 * the windows of a text (`ids` of pieces and, for each piece, the features of its word as bits of a number, special tokens
 * included), and for each piece without special tokens the characters of its word.
 */
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { windowInputs } from '../../src/adapters/onnx/reader.ts'
import { articlePieces } from '../../src/adapters/onnx/reader-windows.ts'
import { openVocabulary } from '../../src/adapters/onnx/vocabulary.ts'
import { openPlaces } from '../../src/language/places/places.ts'
import { openLexicon } from '../../src/language/recogniser/lexicon.ts'
import { articleFeatures, READER_FEATURES } from '../../src/language/recogniser/reader-features.ts'
import { readWords } from '../../src/language/recogniser/words.ts'

const lists = { lexicon: openLexicon(), places: openPlaces() }
const vocabulary = await openVocabulary(process.argv[2] ?? '')

for await (const line of createInterface({ input: process.stdin })) {
  const text = z.string().parse(JSON.parse(line))
  const sentences = readWords(text, [{ start: 0, end: text.length }])
  const texts = sentences.map(({ words }) => words.texts)
  const article = articlePieces(texts, vocabulary)
  const [starts, ends] = [sentences.flatMap(({ words }) => words.starts), sentences.flatMap(({ words }) => words.ends)]
  const windows = windowInputs(article, articleFeatures(texts, lists), vocabulary).map(({ ids, features }) => ({
    ids,
    features: ids.map((_, piece) => bitsOf(features.subarray(piece * READER_FEATURES, (piece + 1) * READER_FEATURES))),
  }))
  const words = article.words.map((word) => [starts[word], ends[word]])
  process.stdout.write(`${JSON.stringify({ windows, words })}\n`)
}

function bitsOf(features: Float32Array): number {
  return features.reduce((bits, feature, at) => bits + feature * 2 ** at, 0)
}
