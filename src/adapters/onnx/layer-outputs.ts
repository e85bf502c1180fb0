/**
 * Adds outputs to the published model in memory, without a second pass of it. An ONNX file is one protobuf message, and
 * parsing two such messages in sequence merges them: lists (nodes, constants, outputs) are joined, and not
 * a byte of the published graph changes. Field numbers are those of `onnx.proto` (ModelProto, GraphProto, ValueInfoProto).
 */

/** What is merged into the model for sentiment; `models/sentiment/graph.py` makes it. */
export interface SentimentGraph {
  /** An ONNX message of nodes that read inner layers and give the output `MAPPED`. */
  readonly graph: Uint8Array
  /** Components of a position of that output. */
  readonly width: number
}

/** Name of the output for sentiment: float32[window, position, width]. */
export const MAPPED = 'sentiment_states'

export const withSentiment = (model: Uint8Array, { graph }: SentimentGraph): Uint8Array => Buffer.concat([model, graph])

/** The same model giving the states of one inner layer too: float32[window, position, DIM] under the layer's own name. */
export const withLayer = (model: Uint8Array, layer: number): Uint8Array =>
  Buffer.concat([model, message(7, [floatOutput(stateName(layer))])])

/** An output's type: a tensor of floats; its shape follows from the nodes. */
const floatOutput = (name: string): Buffer => message(12, [text(1, name), message(2, [message(1, [int(1, FLOAT)])])])

/** How the published model calls what a layer gives to the next one; its last layer's is its output. */
export const stateName = (layer: number): string =>
  layer === LAYERS ? 'last_hidden_state' : `/encoder/layer.${layer - 1}/output/LayerNorm/Add_1_output_0`

const LAYERS = 6
/** TensorProto.DataType.FLOAT. */
const FLOAT = 1

const message = (number: number, fields: readonly Buffer[]): Buffer => field(number, Buffer.concat(fields))
const text = (number: number, value: string): Buffer => field(number, Buffer.from(value))
/** A field of bytes: wire type 2, the length, the bytes. */
const field = (number: number, bytes: Buffer): Buffer =>
  Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
/** A whole number: wire type 0. */
const int = (number: number, value: number): Buffer => Buffer.concat([varint(number * 8), varint(value)])

/** Seven bits a byte, the lowest first. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}
