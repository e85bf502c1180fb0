import { readFile } from 'node:fs/promises'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { DIM } from '../vectors.ts'
import { MAPPED, stateName, withLayer, withSentiment, type SentimentGraph } from './layer-outputs.ts'

/** Word pieces of a window, marks included. */
type SessionWindow = readonly number[]

/** The last states of windows: float32[window, position, DIM]. Windows of one call are padded to the longest. */
export type States = (windows: readonly SessionWindow[]) => Promise<Float32Array>

/** The last states of one window, float32[position, DIM], and what the sentiment graph makes of inner ones. */
export interface MappedStates {
  readonly last: Float32Array
  /** float32[position, width]. */
  readonly mapped: Float32Array
  /** States of the inner layer that was asked for, float32[position, DIM]. */
  readonly inner: Float32Array
}

export interface MappedSession {
  readonly states: States
  readonly mapped: (window: SessionWindow) => Promise<MappedStates>
}

export async function openSession(onnx: string): Promise<States> {
  const session = await InferenceSession.create(onnx, SESSION_OPTIONS)
  return lastStates(session)
}

/** The same model with more outputs; what it gave before it gives to the bit. `inner`: a layer counted from 1. */
export async function openMappedSession(
  onnx: string,
  sentiment: SentimentGraph,
  inner: number,
): Promise<MappedSession> {
  const model = withLayer(withSentiment(await readFile(onnx), sentiment), inner)
  const session = await InferenceSession.create(model, SESSION_OPTIONS)
  const innerName = stateName(inner)
  return {
    states: lastStates(session),
    mapped: async (window) => {
      const given = await session.run(feeds([window]), ['last_hidden_state', MAPPED, innerName])
      return {
        last: floats(given['last_hidden_state'], DIM),
        mapped: floats(given[MAPPED], sentiment.width),
        inner: floats(given[innerName], DIM),
      }
    },
  }
}

const lastStates =
  (session: InferenceSession): States =>
  async (windows) => {
    const { last_hidden_state: states } = await session.run(feeds(windows), ['last_hidden_state'])
    return floats(states, DIM)
  }

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

function floats(states: Tensor | undefined, width: number): Float32Array {
  if (states?.dims[2] !== width || !(states.data instanceof Float32Array))
    throw new Error(`The model returns no float32[${width}]`)
  return states.data
}

/** One thread that sleeps while idle: the pool, not the model, uses the machine's cores. */
export const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  extra: { session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } } },
}
