import { readFile } from 'node:fs/promises'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { projectPath } from '../../config/project-path.ts'
import { DIM, meanOf } from '../vectors.ts'
import { floats, SESSION_OPTIONS } from './session.ts'
import { openUnigram } from './unigram.ts'
import { READ_CHARS, WINDOW } from './windows.ts'
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

/** The model has learned with this before every text. */
const PREFIX = 'query: '

/** Vectors of texts in one buffer: float32[text, DIM], unit length. */
export type EncodeCross = (texts: readonly string[]) => Promise<Float32Array>

export async function loadCrossModel(): Promise<EncodeCross> {
  const pieces = openUnigram(await readFile(CROSS_MODEL.pieces))
  const words = openWordRows(CROSS_MODEL.words)
  const session = await InferenceSession.create(CROSS_MODEL.layers, SESSION_OPTIONS)

  const ids = (text: string): readonly number[] => {
    const { indexes } = pieces(PREFIX + text.slice(0, READ_CHARS).normalize('NFC'))
    return [FIRST, ...indexes.slice(0, WINDOW).map((index) => (index < 0 ? UNKNOWN : index)), LAST]
  }
  const encode = async (window: readonly number[]): Promise<Float32Array> => {
    const { last_hidden_state: states } = await session.run({
      words: new Tensor('float32', words(window), [1, window.length, DIM]),
    })
    return meanOf(floats(states, DIM))
  }
  return async (texts) => {
    const rows = new Float32Array(texts.length * DIM)
    // One window at a time: with int8 quantisation a vector would depend on the rest of its batch.
    for (const [row, text] of texts.entries()) rows.set(await encode(ids(text)), row * DIM)
    return rows
  }
}
