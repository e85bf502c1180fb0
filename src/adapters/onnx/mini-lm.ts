import type { TargetedSentiment } from '../../language/sentiment/targeted-sentiment.ts'
import type { Passage, PassageVectors, SentenceReading, TargetedSentence } from '../../ports/encoder.ts'
import { articleMix, DIM } from '../vectors.ts'
import { type OnnxWork, packed, packedReadings } from './encoder-work.ts'
import { passageWindow, termPositions, leadWindow, sentenceWindow, READ_CHARS, WINDOW } from './windows.ts'
import type { MappedSession, MappedStates } from './session.ts'
import type { PieceVocabulary, PlacedPieces } from './vocabulary.ts'

type EncoderWork = Exclude<OnnxWork, { readonly kind: 'tags' }>

/** all-MiniLM-L6-v2, int8, in this process. Takes work and returns unit vectors, as described in `encoder-work.ts`. */
export function miniLm(
  session: MappedSession,
  { pieces, first, last }: PieceVocabulary,
  sentiment: TargetedSentiment,
): (work: EncoderWork) => Promise<Float32Array> {
  const ids = (text: string): readonly number[] => pieces(text).ids
  /** Encodes one window at a time: with int8 quantisation a vector would depend on the rest of its batch. */
  const states = (window: readonly number[]): Promise<Float32Array> => session.states([[first, ...window, last]])
  const mapped = (window: readonly number[]): Promise<MappedStates> => session.mapped([first, ...window, last])

  const alone = async (windows: readonly (readonly number[])[]): Promise<Float32Array> => {
    const rows = new Float32Array(windows.length * DIM)
    for (const [row, window] of windows.entries()) rows.set(whole(await states(window)), row * DIM)
    return rows
  }

  const passage = async ({ title: heading, sentences, terms }: Passage): Promise<PassageVectors> => {
    const window = passageWindow(pieces, { title: heading, sentences })
    const inLead = await states(window.map(({ id }) => id))
    const lead = whole(inLead)
    const title = heading === '' ? lead : whole(await states(sentenceWindow(ids, heading)))
    const vectors = terms.map((term) => {
      const positions = termPositions(window, term)
      return positions.length === 0 ? null : pooled(inLead, positions.map(afterMark))
    })
    return { title, lead, article: articleMix(title, lead), terms: vectors }
  }

  const passages = async (items: readonly Passage[]): Promise<Float32Array> => {
    const done: PassageVectors[] = []
    for (const item of items) done.push(await passage(item))
    return packed(done)
  }

  const readings = readingsBy(pieces, mapped, sentiment)

  return async (work) => {
    if (work.kind === 'passages') return passages(work.items)
    if (work.kind === 'readings') return readings(work.items)
    return work.kind === 'sentences'
      ? alone(work.items.map((text) => sentenceWindow(ids, text)))
      : alone(work.items.map((lead) => leadWindow(ids, lead)))
  }
}

/**
 * Reads each sentence alone: vector and sentiment from one forward pass. `mapped` takes a window without its special
 * tokens.
 */
const readingsBy =
  (
    pieces: (text: string) => PlacedPieces,
    mapped: (window: readonly number[]) => Promise<MappedStates>,
    sentiment: TargetedSentiment,
  ) =>
  async (sentences: readonly TargetedSentence[]): Promise<Float32Array> => {
    const readings: SentenceReading[] = []
    for (const { text, targets } of sentences) {
      const placed = pieces(text.slice(0, READ_CHARS))
      const { last, mapped: states } = await mapped(placed.ids.slice(0, WINDOW))
      const positions = targets.map((target) => positionsOf(placed, target))
      readings.push({ vector: whole(last), ...sentiment.read(states, positions) })
    }
    return packedReadings(readings)
  }

/**
 * Positions in the window, counted with its special tokens, of the pieces that overlap a target. Empty if the target is
 * after the window.
 */
function positionsOf({ starts, ends }: PlacedPieces, { start, end }: TargetedSentence['targets'][number]): number[] {
  const positions: number[] = []
  for (let i = 0; i < Math.min(WINDOW, starts.length); i++)
    if ((starts[i] ?? 0) < end && (ends[i] ?? 0) > start) positions.push(afterMark(i))
  return positions
}

/** The normalised mean of the states at the given positions; `states` has `DIM` components per position. */
function pooled(states: Float32Array, positions: Iterable<number>): Float32Array {
  const sum = new Float64Array(DIM)
  for (const position of positions) {
    for (let i = 0; i < DIM; i++) sum[i] = (sum[i] ?? 0) + (states[position * DIM + i] ?? 0)
  }
  const norm = Math.sqrt(sum.reduce((total, value) => total + value * value, 0))
  return Float32Array.from(sum, (value) => value / norm)
}

/** The mean over all positions, special tokens included. */
const whole = (states: Float32Array): Float32Array =>
  pooled(
    states,
    Array.from({ length: states.length / DIM }, (_, position) => position),
  )

/** The states of a window start with its first special token. */
const afterMark = (position: number): number => position + 1
