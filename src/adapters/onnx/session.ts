import { readFile } from 'node:fs/promises'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { DIM } from '../vectors.ts'

/** Word-piece ids of a window, special tokens included. */
type SessionWindow = readonly number[]

/** The last hidden states of windows: float32[window, position, DIM]. Windows of one call are padded to the longest. */
export type States = (windows: readonly SessionWindow[]) => Promise<Float32Array>

export async function openSession(onnx: string): Promise<States> {
  const session = await InferenceSession.create(onnx, SESSION_OPTIONS)
  return async (windows) => {
    const { last_hidden_state: states } = await session.run(feeds(windows), ['last_hidden_state'])
    return floats(states, DIM)
  }
}

/** Opens a model with the output of the sentiment graph, `MAPPED`, in addition to its own. */
export const openSentimentSession = async (onnx: string, { graph }: SentimentGraph): Promise<InferenceSession> =>
  InferenceSession.create(Buffer.concat([await readFile(onnx), graph]), SESSION_OPTIONS)

function feeds(windows: readonly SessionWindow[]): Readonly<Record<string, Tensor>> {
  const length = windows.reduce((longest, ids) => Math.max(longest, ids.length), 0)
  const shape = [windows.length, length]
  const [ids, mask] = [new BigInt64Array(windows.length * length), new BigInt64Array(windows.length * length)]
  for (const [row, window] of windows.entries()) {
    ids.set(BigInt64Array.from(window, BigInt), row * length)
    mask.fill(1n, row * length, row * length + window.length)
  }
  return {
    input_ids: new Tensor('int64', ids, shape),
    attention_mask: new Tensor('int64', mask, shape),
    token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
  }
}

/** The values of an output of the given width. Throws if it has another shape. */
export function floats(states: Tensor | undefined, width: number): Float32Array {
  if (states?.dims[2] !== width || !(states.data instanceof Float32Array))
    throw new Error(`The model returns no float32[${width}]`)
  return states.data
}

/** One thread that does not spin while idle: the process pool, not the model, distributes work over cores. */
export const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  extra: { session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } } },
}

/**
 * The graph for sentiment, so that no second forward pass is needed. An ONNX file is one protobuf message, and parsing
 * two concatenated messages merges them: lists (nodes, constants, outputs) are joined and not one byte of the model's
 * own graph changes. Created by `models/sentiment/graph.py`.
 */
export interface SentimentGraph {
  /** An ONNX message with nodes that read inner layers and produce the output `MAPPED`. */
  readonly graph: Uint8Array
  /** Components per position of that output. */
  readonly width: number
}

/** Name of the sentiment output: float32[window, position, width]. */
export const MAPPED = 'sentiment_states'
