import type { TargetedSentiment } from '../../language/sentiment/targeted-sentiment.ts'
import type { SentenceReading, TargetedSentence } from '../../ports/encoder.ts'
import { afterMark, whole } from './pooling.ts'
import { packedReadings } from './reading-rows.ts'
import type { MappedStates } from './session.ts'
import { READ_CHARS, WINDOW } from './windows.ts'
import type { PlacedPieces } from './word-pieces.ts'

interface ReadingsReader {
  readonly pieces: (text: string) => PlacedPieces
  /** Of the pieces of a window, without its marks. */
  readonly mapped: (window: readonly number[]) => Promise<MappedStates>
  readonly sentiment: TargetedSentiment
}

/** Reads sentences, each alone: vector and sentiment from one pass. */
export const readingsBy =
  ({ pieces, mapped, sentiment }: ReadingsReader) =>
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

/** Positions in the window, marks included, of the pieces that a target touches; none behind the window. */
function positionsOf({ starts, ends }: PlacedPieces, { start, end }: TargetedSentence['targets'][number]): number[] {
  const positions: number[] = []
  for (let i = 0; i < Math.min(WINDOW, starts.length); i++)
    if ((starts[i] ?? 0) < end && (ends[i] ?? 0) > start) positions.push(afterMark(i))
  return positions
}
