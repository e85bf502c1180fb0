import type { InferenceSession } from 'onnxruntime-node'
import { DIM, meanOf } from '../vectors.ts'
import type { ReadStates } from './encoder-work.ts'
import type { ArticlePieces } from './reader-windows.ts'
import { floats, MAPPED } from './session.ts'
import { TAG_WIDTH } from './tag-chain.ts'

interface ReaderPass {
  readonly session: InferenceSession
  /** The inputs of the network for each window of the article. */
  readonly inputs: readonly InferenceSession.OnnxValueMapType[]
  /** Width of the sentiment graph's output. */
  readonly width: number
  /** The best tags from float32[word, TAG_WIDTH], which it may modify. */
  readonly best: (emissions: Float32Array) => Uint8Array
}

/**
 * Runs a reader over an article. `sentences`: number of each word's pieces, sentence by sentence. A word without pieces
 * of its own continues the piece before it, and its name.
 */
export async function readStates(
  { session, inputs, width, best }: ReaderPass,
  sentences: ArticlePieces['sentences'],
): Promise<readonly ReadStates[]> {
  const outputs = outputsOf(
    sentences.flat().reduce((sum, count) => sum + count, 0),
    width,
  )
  // One window at a time and without padding: with int8 quantisation a row would depend on the rest of its batch.
  for (const window of inputs) outputs.add(await session.run(window, OUTPUTS))
  return bySentence(sentences, outputs, best)
}

/** The last layer's states. */
const STATES = 'layer4'
const EMISSIONS = 'emissions'
const OUTPUTS = [EMISSIONS, STATES, MAPPED]

/** The network's outputs for all pieces of an article, without special tokens. */
interface ReaderOutputs {
  /** float32[piece, TAG_WIDTH]. */
  readonly emissions: Float32Array
  /** float32[piece, DIM]. */
  readonly states: Float32Array
  /** float32[piece, width]. */
  readonly mapped: Float32Array
  /** Width of the sentiment graph's output. */
  readonly width: number
}

/** Collects the outputs of an article, window after window. */
function outputsOf(
  pieces: number,
  width: number,
): ReaderOutputs & { readonly add: (window: InferenceSession.OnnxValueMapType) => void } {
  const emissions = new Float32Array(pieces * TAG_WIDTH)
  const states = new Float32Array(pieces * DIM)
  const mapped = new Float32Array(pieces * width)
  let at = 0
  const add = (window: InferenceSession.OnnxValueMapType): void => {
    const rows = (name: string, size: number) => floats(window[name], size).subarray(size, -size) // without the marks
    emissions.set(rows(EMISSIONS, TAG_WIDTH), at * TAG_WIDTH)
    mapped.set(rows(MAPPED, width), at * width)
    const last = rows(STATES, DIM)
    states.set(last, at * DIM)
    at += last.length / DIM
  }
  return { emissions, states, mapped, width, add }
}

/** Splits the outputs of an article by sentence. */
function bySentence(
  sentences: ArticlePieces['sentences'],
  { emissions, states, mapped, width }: ReaderOutputs,
  best: ReaderPass['best'],
): readonly ReadStates[] {
  let piece = 0
  return sentences.map((pieces) => {
    const [from, own] = [piece, new Float32Array(pieces.length * TAG_WIDTH)]
    let units = 0
    for (const count of pieces) {
      if (count === 0) continue
      own.set(emissions.subarray(piece * TAG_WIDTH, (piece + 1) * TAG_WIDTH), units * TAG_WIDTH) // of its first piece
      units++
      piece += count
    }
    return {
      tags: tagsOfWords(best(own.subarray(0, units * TAG_WIDTH)), pieces),
      pieces,
      vector: meanOf(states.subarray(from * DIM, piece * DIM)),
      mapped: mapped.subarray(from * width, piece * width),
    }
  })
}

/** Tags of all words from those of the words that have pieces. A first word without any has tag 0: none. */
function tagsOfWords(tags: Uint8Array, pieces: readonly number[]): Uint8Array {
  if (tags.length === pieces.length) return tags
  let [next, before] = [0, 0]
  return Uint8Array.from(pieces, (count) => {
    if (count > 0) return (before = tags[next++] ?? 0)
    return before % 2 === 1 ? (before += 1) : before
  })
}
