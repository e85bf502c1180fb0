import { readFile } from 'node:fs/promises'
import * as tokenizers from '@huggingface/tokenizers'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { DIM } from '../vector-rows.ts'
import type { Work } from './messages.ts'
import { leadWindow, sentenceWindow } from './windows.ts'

export interface ModelFiles {
  /** all-MiniLM-L6-v2, int8. */
  readonly onnx: string
  /** Its tokenizer.json. */
  readonly tokenizer: string
}

interface Tokenizer {
  encode(text: string, options: { readonly add_special_tokens: boolean }): { readonly ids: readonly number[] }
  token_to_id(token: string): number | undefined
}

/** The library's own types name files without their endings, which node's way of resolving does not find. */
const { Tokenizer } = tokenizers as unknown as {
  readonly Tokenizer: new (json: object, config: object) => Tokenizer
}

/** One thread that sleeps when it has nothing to do: the pool, not the model, uses the machine's cores. */
const SESSION: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  extra: { session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } } },
}

/** The model in this process: work in, one row of unit vectors an item out. */
export async function loadMiniLm({
  onnx,
  tokenizer: file,
}: ModelFiles): Promise<(work: Work) => Promise<Float32Array>> {
  const tokenizer = await loadTokenizer(file)
  const pieces = (text: string): readonly number[] => tokenizer.encode(text, { add_special_tokens: false }).ids
  const [first, last] = marks(tokenizer)
  const session = await InferenceSession.create(onnx, SESSION)

  return async (work) => {
    const windows =
      work.kind === 'sentences'
        ? work.items.map((text) => sentenceWindow(pieces, text))
        : work.items.map((lead) => leadWindow(pieces, lead))
    const rows = new Float32Array(windows.length * DIM)
    for (const [row, window] of windows.entries()) rows.set(await encode(session, [first, ...window, last]), row * DIM)
    return rows
  }
}

export async function loadTokenizer(file: string): Promise<Tokenizer> {
  const json = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  // The file pads and cuts to 128 pieces; a window is never padded and cut by us.
  return new Tokenizer({ ...json, padding: null, truncation: null }, {})
}

function marks(tokenizer: Tokenizer): readonly [number, number] {
  const [first, last] = [tokenizer.token_to_id('[CLS]'), tokenizer.token_to_id('[SEP]')]
  if (first === undefined || last === undefined)
    throw new Error('The tokenizer knows no [CLS] and [SEP]: not a BERT model’s')
  return [first, last]
}

/** One window at a time: int8 quantisation would make a vector depend on its batch mates. */
async function encode(session: InferenceSession, ids: readonly number[]): Promise<Float32Array> {
  const shape = [1, ids.length]
  const { last_hidden_state: states } = await session.run({
    input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
    attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
  })
  if (states?.dims[2] !== DIM || !(states.data instanceof Float32Array))
    throw new Error(`The model gives no float32[${DIM}]`)
  return meanUnit(states.data, ids.length)
}

/** Mean over all positions, then unit length. */
function meanUnit(states: Float32Array, positions: number): Float32Array {
  const sum = new Float64Array(DIM)
  for (let position = 0; position < positions; position++) {
    for (let i = 0; i < DIM; i++) sum[i] = (sum[i] ?? 0) + (states[position * DIM + i] ?? 0)
  }
  const norm = Math.sqrt(sum.reduce((total, value) => total + value * value, 0))
  return Float32Array.from(sum, (value) => value / norm)
}
