import { readFile } from 'node:fs/promises'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { projectPath } from '../../config/project-path.ts'
import { DIM, meanOf } from '../vectors.ts'
import { floats, SESSION_OPTIONS } from './session.ts'
import { openUnigram, type UnigramPieces } from './unigram.ts'
import { READ_CHARS } from './windows.ts'
import { openWordRows } from './word-rows.ts'

const file = (name: string): string => projectPath(`models/cross-language/${name}`)

/** multilingual-e5-small, shipped with the code. */
export const CROSS_MODEL = {
  layers: file('layers.onnx'),
  pieces: file('pieces.bin.gz'),
  words: [
    { path: file('words-1.bin'), rows: 125_018 },
    { path: file('words-2.bin'), rows: 125_019 },
  ],
} as const

/** Ids of the special tokens, as XLM-RoBERTa numbers them. */
const [FIRST, LAST, UNKNOWN] = [0, 2, 3]

/** The pieces of the model and their vectors. */
export interface CrossVocabulary {
  readonly split: (text: string) => UnigramPieces
  /** The vectors of a window of pieces between the special tokens, by their indexes: the input of the layers. */
  readonly window: (indexes: readonly number[]) => Tensor
}

export async function openCrossVocabulary(): Promise<CrossVocabulary> {
  const words = openWordRows(CROSS_MODEL.words)
  return {
    split: openUnigram(await readFile(CROSS_MODEL.pieces)),
    window: (indexes) => {
      const ids = [FIRST, ...indexes.map((index) => (index < 0 ? UNKNOWN : index)), LAST]
      return new Tensor('float32', words(ids), [1, ids.length, DIM])
    },
  }
}

/** Word pieces that are read of a text: a title and two sentences. Twice as many take twice the time for little. */
const WINDOW = 64

/** The model has learned with this before every text. */
const PREFIX = 'query: '

/** Vectors of texts in one buffer: float32[text, DIM], unit length. */
export type EncodeCross = (texts: readonly string[]) => Promise<Float32Array>

export async function loadCrossModel({ split, window }: CrossVocabulary): Promise<EncodeCross> {
  const session = await InferenceSession.create(CROSS_MODEL.layers, SESSION_OPTIONS)
  const encode = async (text: string): Promise<Float32Array> => {
    const { indexes } = split(PREFIX + text.slice(0, READ_CHARS).normalize('NFC'))
    const { last_hidden_state: states } = await session.run({ words: window(indexes.slice(0, WINDOW)) })
    return meanOf(floats(states, DIM))
  }
  return async (texts) => {
    const rows = new Float32Array(texts.length * DIM)
    // One window at a time: with int8 quantisation a vector would depend on the rest of its batch.
    for (const [row, text] of texts.entries()) rows.set(await encode(text), row * DIM)
    return rows
  }
}
