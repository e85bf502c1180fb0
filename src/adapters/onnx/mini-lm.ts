import type { Passage, PassageVectors } from '../../ports/encoder.ts'
import { articleMix } from '../article-mix.ts'
import { DIM } from '../vector-rows.ts'
import type { Work } from './messages.ts'
import { packed } from './passage-rows.ts'
import { passageWindow, termPositions } from './passage-window.ts'
import { pooled } from './pooled.ts'
import { openSession } from './session.ts'
import { loadTokenizer, marks } from './tokenizer.ts'
import { leadWindow, sentenceWindow } from './windows.ts'
import { placedPieces } from './word-pieces.ts'

export interface ModelFiles {
  /** all-MiniLM-L6-v2, int8. */
  readonly onnx: string
  /** Its tokenizer.json. */
  readonly tokenizer: string
}

/** The model in this process: work in, unit vectors out, as `messages.ts` says. */
export async function loadMiniLm({
  onnx,
  tokenizer: file,
}: ModelFiles): Promise<(work: Work) => Promise<Float32Array>> {
  const tokenizer = await loadTokenizer(file)
  const pieces = placedPieces((text) => tokenizer.encode(text, { add_special_tokens: false }).ids)
  const ids = (text: string): readonly number[] => pieces(text).ids
  const [first, last] = marks(tokenizer)
  const session = await openSession(onnx)
  /** One window at a time: int8 quantisation would make a vector depend on its batch mates. */
  const states = async (window: readonly number[]): Promise<Float32Array> => await session([[first, ...window, last]])

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

  return async (work) => {
    if (work.kind === 'passages') return await passages(work.items)
    return work.kind === 'sentences'
      ? await alone(work.items.map((text) => sentenceWindow(ids, text)))
      : await alone(work.items.map((lead) => leadWindow(ids, lead)))
  }
}

/** A window's states begin with those of the mark before it. */
const afterMark = (position: number): number => position + 1

/** The mean over all positions, marks included. */
const whole = (states: Float32Array): Float32Array =>
  pooled(
    states,
    Array.from({ length: states.length / DIM }, (_, position) => position),
  )
