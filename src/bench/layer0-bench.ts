import type { ArticleIngested, ArticleScored } from '../events/articles.ts'
import type { Stage } from '../runtime/shapes.ts'
import { inputsOf } from './inputs.ts'
import { type RoundCost, costOf, type BenchRoundCounts, median, ofSize, rounds, type Size } from './rounds.ts'

/** Word pieces of an article as it is measured, its title included. */
export const PIECES = 600
/** Until the code is compiled and the words of newspapers are known: a service runs for days. */
const COUNTS: BenchRoundCounts = { warmUp: 30, counted: 15 }

export interface Layer0Parts {
  readonly scored: Stage<ArticleIngested, ArticleScored>
  readonly pieceEnds: Size['pieceEnds']
  /** The same windows in this process in fp32, padded; see `paddedBaseline`. */
  readonly baseline: {
    articles(articles: readonly { readonly title: string; readonly body: string }[]): Promise<void>
  }
}

/** CPU milliseconds an article of 600 word pieces; each the median of the rounds. */
export interface Layer0Figure {
  readonly articles: number
  /** The stage's own process: all of Layer 0 besides the encoder. */
  readonly own_ms: number
  readonly encoder_ms: number
  readonly whole_ms: number
  /** The encoder's work in fp32 with padded batches. */
  readonly fp32_padded_ms: number
  /** fp32 with padding, over the encoder's. */
  readonly ratio: number
}

/** Layer 0 whole, and then the usual way of encoding: it would leave its garbage to the other if they took turns. */
export async function benchLayer0(
  given: readonly ArticleIngested[],
  { scored, pieceEnds, baseline }: Layer0Parts,
): Promise<Layer0Figure> {
  const articles = ofSize(given, { pieces: (title) => PIECES - pieceEnds(title).length, pieceEnds })
  const costs = await rounds(articles, COUNTS, (batch) => scoring(batch, scored))
  const encoder = median(costs.map(({ models }) => models))
  const padded = median(await rounds(articles, COUNTS, async (batch) => (await encoding(batch, baseline)).own))
  return {
    articles: articles.length,
    own_ms: median(costs.map(({ own }) => own)),
    encoder_ms: encoder,
    whole_ms: median(costs.map(({ own, models }) => own + models)),
    fp32_padded_ms: padded,
    ratio: padded / encoder,
  }
}

const scoring = async (batch: readonly ArticleIngested[], scored: Layer0Parts['scored']): Promise<RoundCost> => {
  const inputs = inputsOf(batch)
  return costOf(batch.length, async () => {
    const outcomes = await scored.handle(inputs)
    if (outcomes.some(({ kind }) => kind !== 'emit')) throw new Error('Layer 0 refused an article of the bench')
  })
}

const encoding = (batch: readonly ArticleIngested[], baseline: Layer0Parts['baseline']): Promise<RoundCost> =>
  costOf(batch.length, () => baseline.articles(batch.map(({ title, text }) => ({ title: title ?? '', body: text }))))
