import type { Passage, PassageVectors } from '../../ports/encoder.ts'
import { articleMix, DIM, meanOf, pooled } from '../vectors.ts'
import { type EncoderWork, packed } from './encoder-work.ts'
import { passageWindow, termPositions, leadWindow, sentenceWindow } from './windows.ts'
import type { States } from './session.ts'
import type { PieceVocabulary } from './vocabulary.ts'

/** all-MiniLM-L6-v2, int8, in this process. Takes work and returns unit vectors, as described in `encoder-work.ts`. */
export function miniLm(
  encode: States,
  { pieces, first, last }: PieceVocabulary,
): (work: EncoderWork) => Promise<Float32Array> {
  const ids = (text: string): readonly number[] => pieces(text).ids
  /** Encodes one window at a time: with int8 quantisation a vector would depend on the rest of its batch. */
  const states = (window: readonly number[]): Promise<Float32Array> => encode([[first, ...window, last]])

  const alone = async (windows: readonly (readonly number[])[]): Promise<Float32Array> => {
    const rows = new Float32Array(windows.length * DIM)
    for (const [row, window] of windows.entries()) rows.set(meanOf(await states(window)), row * DIM)
    return rows
  }

  const passage = async ({ title: heading, sentences, terms }: Passage): Promise<PassageVectors> => {
    const window = passageWindow(pieces, { title: heading, sentences })
    const inLead = await states(window.map(({ id }) => id))
    const lead = meanOf(inLead)
    const title = heading === '' ? lead : meanOf(await states(sentenceWindow(ids, heading)))
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

  return async (work) => {
    if (work.kind === 'passages') return passages(work.items)
    return work.kind === 'sentences'
      ? alone(work.items.map((text) => sentenceWindow(ids, text)))
      : alone(work.items.map((lead) => leadWindow(ids, lead)))
  }
}

/** The states of a window start with its first special token. */
const afterMark = (position: number): number => position + 1
