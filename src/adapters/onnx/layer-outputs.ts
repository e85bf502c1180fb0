/**
 * Adds an output to the published model in memory, without a second pass of it: a linear map of the states of some inner
 * layers. An ONNX file is one protobuf message, and whoever parses two such messages one behind the other merges them:
 * the nodes of ours are added to the published graph, and not a byte of the published one changes. Field numbers are
 * those of `onnx.proto` (ModelProto, GraphProto, NodeProto, AttributeProto, TensorProto, ValueInfoProto).
 */

/** Output = states of `layers`, one behind the other, times `weights`, plus `bias`. */
export interface LayerMap {
  /** Layers of the encoder, counted from 1. */
  readonly layers: readonly number[]
  /** float32[layers x DIM, width]. */
  readonly weights: Float32Array
  /** float32[width]. */
  readonly bias: Float32Array
}

/** Name of the added output: float32[window, position, width]. */
export const MAPPED = 'sentiment_states'

export const withLayerMap = (model: Uint8Array, { layers, weights, bias }: LayerMap): Uint8Array =>
  Buffer.concat([
    model,
    message(7, [
      node({ operator: 'Concat', inputs: layers.map(stateName), output: LAYER_STATES, attribute: LAST_AXIS }),
      node({ operator: 'MatMul', inputs: [LAYER_STATES, WEIGHTS], output: PRODUCT }),
      node({ operator: 'Add', inputs: [PRODUCT, BIAS], output: MAPPED }),
      tensor(WEIGHTS, [weights.length / bias.length, bias.length], weights),
      tensor(BIAS, [bias.length], bias),
      floatOutput(MAPPED),
    ]),
  ])

const [LAYER_STATES, WEIGHTS, PRODUCT, BIAS] = [
  'sentiment_layers',
  'sentiment_weights',
  'sentiment_product',
  'sentiment_bias',
] as const

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

interface Node {
  readonly operator: string
  readonly inputs: readonly string[]
  readonly output: string
  readonly attribute?: Buffer
}

const node = ({ operator, inputs, output, attribute }: Node): Buffer =>
  message(1, [
    ...inputs.map((input) => text(1, input)),
    text(2, output),
    text(4, operator),
    ...(attribute === undefined ? [] : [attribute]),
  ])

const tensor = (name: string, dims: readonly number[], values: Float32Array): Buffer =>
  message(5, [
    ...dims.map((dim) => int(1, dim)),
    int(2, FLOAT),
    text(8, name),
    field(9, Buffer.from(values.buffer, values.byteOffset, values.byteLength)),
  ])

const message = (number: number, fields: readonly Buffer[]): Buffer => field(number, Buffer.concat(fields))
const text = (number: number, value: string): Buffer => field(number, Buffer.from(value))
/** A field of bytes: wire type 2, the length, the bytes. */
const field = (number: number, bytes: Buffer): Buffer =>
  Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
/** A whole number: wire type 0. */
const int = (number: number, value: number): Buffer => Buffer.concat([varint(number * 8), varint(value)])

/** Seven bits a byte, the lowest first; a negative number as its two's complement of 64 bits. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return Buffer.from([...bytes, Number(rest)])
}

/** Attribute `axis` = -1 (type INT) of Concat. */
const LAST_AXIS = message(5, [text(1, 'axis'), int(3, -1), int(20, 2)])
