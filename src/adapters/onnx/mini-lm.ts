import type { TargetedSentiment } from '../../language/sentiment/targeted-sentiment.ts'
import type { Passage, PassageVectors } from '../../ports/encoder.ts'
import { articleMix } from '../article-mix.ts'
import { DIM } from '../vector-rows.ts'
import type { OnnxWork } from './messages.ts'
import { packed } from './passage-rows.ts'
import { passageWindow, termPositions } from './passage-window.ts'
import { afterMark, pooled, whole } from './pooling.ts'
import { readingsBy } from './readings.ts'
import type { MappedSession, MappedStates } from './session.ts'
import { leadWindow, sentenceWindow } from './windows.ts'
import type { PieceVocabulary } from './vocabulary.ts'

/** What the encoder is asked. */
type EncoderWork = Exclude<OnnxWork, { readonly kind: 'tags' }>

interface MiniLm {
  readonly session: MappedSession
  readonly vocabulary: PieceVocabulary
  readonly sentiment: TargetedSentiment
}

/** all-MiniLM-L6-v2, int8, in this process: work in, unit vectors out, as `messages.ts` says. */
export function miniLm({
  session,
  vocabulary: { pieces, first, last },
  sentiment,
}: MiniLm): (work: EncoderWork) => Promise<Float32Array> {
  const ids = (text: string): readonly number[] => pieces(text).ids
  /** One window at a time: int8 quantisation would make a vector depend on its batch mates. */
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

  const readings = readingsBy({ pieces, mapped, sentiment })

  return async (work) => {
    if (work.kind === 'passages') return passages(work.items)
    if (work.kind === 'readings') return readings(work.items)
    return work.kind === 'sentences'
      ? alone(work.items.map((text) => sentenceWindow(ids, text)))
      : alone(work.items.map((lead) => leadWindow(ids, lead)))
  }
}
