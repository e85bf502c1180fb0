import { writeFileSync } from 'node:fs'
import { loadTokenizer } from '../../src/adapters/onnx/vocabulary.ts'
import { CASE_FEATURES, caseFeatures } from '../../src/language/recogniser/case-features.ts'
import type { LabelledWords } from './corpus.ts'

/** Sentences that follow one another in one article have the same number; a number of its own stands alone. */
export interface PlacedWords extends LabelledWords {
  readonly article: number
}

/** A word longer than this is cut, as the service does; a word that the tokenizer deletes is one unknown piece. */
const WORD_PIECES = 16

/** Writes sentences as numbers, for Python to read: a line of JSON (names, types, lengths), then the arrays. */
export async function pieceWriter(
  tokenizerFile: string,
): Promise<(path: string, sentences: readonly PlacedWords[]) => void> {
  const tokenizer = await loadTokenizer(tokenizerFile)
  const unknown = tokenizer.token_to_id('[UNK]') ?? 0
  const known = new Map<string, readonly number[]>()
  const piecesOf = (word: string): readonly number[] => {
    const before = known.get(word)
    if (before !== undefined) return before
    const { ids } = tokenizer.encode(word, { add_special_tokens: false })
    const pieces = ids.length === 0 ? [unknown] : ids.slice(0, WORD_PIECES)
    known.set(word, pieces)
    return pieces
  }
  return (path, sentences) => {
    const pieces = sentences.flatMap(({ words }) => words.map(piecesOf))
    writeArrays(path, {
      articles: Int32Array.from(sentences, ({ article }) => article),
      lengths: Int32Array.from(sentences, ({ words }) => words.length),
      tags: Int8Array.from(sentences.flatMap(({ tags }) => tags)),
      counts: Uint8Array.from(pieces, (ids) => ids.length),
      pieces: Int32Array.from(pieces.flat()),
      features: joined(sentences.map(({ words }) => caseFeatures(words))),
    })
    console.log(`${path}: ${sentences.length} sentences, ${pieces.length} words`)
  }
}

function joined(rows: readonly Float32Array[]): Uint8Array {
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
  const header = Buffer.from(`${JSON.stringify({ features: CASE_FEATURES, arrays: described })}\n`)
  const bodies = Object.values(arrays).map((values) => Buffer.from(values.buffer, values.byteOffset, values.byteLength))
  writeFileSync(path, Buffer.concat([header, ...bodies]))
}
