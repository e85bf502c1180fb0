import { readFile } from 'node:fs/promises'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { DIM } from '../vectors.ts'

/** Word-piece ids of a window, special tokens included. */
type SessionWindow = readonly number[]

/** The last hidden states of windows: float32[window, position, DIM]. Windows of one call are padded to the longest. */
export type States = (windows: readonly SessionWindow[]) => Promise<Float32Array>

/** The last hidden states of one window, float32[position, DIM], and the output of the sentiment graph. */
export interface MappedStates {
  readonly last: Float32Array
  /** float32[position, width]. */
  readonly mapped: Float32Array
  /** Hidden states of the requested inner layer, float32[position, DIM]. */
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

/**
 * Opens the model with additional outputs. The original outputs stay bit-identical. `inner`: a layer, counted from 1.
 */
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

/** One thread that does not spin while idle: the process pool, not the model, distributes work over cores. */
export const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  extra: { session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } } },
}

/**
 * Adds outputs to the published model in memory, so that no second forward pass is needed. An ONNX file is one protobuf
 * message, and parsing two concatenated messages merges them: lists (nodes, constants, outputs) are joined and not one
 * byte of the published graph changes. Field numbers are from `onnx.proto` (ModelProto, GraphProto, ValueInfoProto).
 */

/** The graph for sentiment that is merged into the model. Created by `models/sentiment/graph.py`. */
export interface SentimentGraph {
  /** An ONNX message with nodes that read inner layers and produce the output `MAPPED`. */
  readonly graph: Uint8Array
  /** Components per position of that output. */
  readonly width: number
}

/** Name of the sentiment output: float32[window, position, width]. */
export const MAPPED = 'sentiment_states'

export const withSentiment = (model: Uint8Array, { graph }: SentimentGraph): Uint8Array => Buffer.concat([model, graph])

/**
 * The model with the states of one inner layer as an additional output: float32[window, position, DIM], under the
 * layer's own name.
 */
export const withLayer = (model: Uint8Array, layer: number): Uint8Array =>
  Buffer.concat([model, message(7, [floatOutput(stateName(layer))])])

/** The type of an output: a float tensor. Its shape follows from the nodes. */
const floatOutput = (name: string): Buffer => message(12, [text(1, name), message(2, [message(1, [int(1, FLOAT)])])])

/** The name of a layer's output in the published model. For the last layer it is the model's output. */
export const stateName = (layer: number): string =>
  layer === LAYERS ? 'last_hidden_state' : `/encoder/layer.${layer - 1}/output/LayerNorm/Add_1_output_0`

const LAYERS = 6
/** TensorProto.DataType.FLOAT. */
const FLOAT = 1

const message = (number: number, fields: readonly Buffer[]): Buffer => field(number, Buffer.concat(fields))
const text = (number: number, value: string): Buffer => field(number, Buffer.from(value))
/** A length-delimited field: wire type 2, length, bytes. */
const field = (number: number, bytes: Buffer): Buffer =>
  Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
/** An integer field: wire type 0. */
const int = (number: number, value: number): Buffer => Buffer.concat([varint(number * 8), varint(value)])

/** Base-128 varint, least significant group first. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}
