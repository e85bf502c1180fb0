import type { ArticleAnalyzed, ArticleScored } from '../events/articles.ts'
import type { AnalysisTools } from '../language/analysis/analyse.ts'
import type { Stage } from '../runtime/shapes.ts'
import { inputsOf } from './inputs.ts'
import { type RecordedInputs, listened } from './recorded-inputs.ts'
import { type RoundCost, costOf, type BenchRoundCounts, median, rounds } from './rounds.ts'

/** Word pieces of an article's body as it is measured. */
export const PIECES = 600
/** Until the code is compiled and the words of newspapers are known: a service runs for days. */
const COUNTS: BenchRoundCounts = { warmUp: 20, counted: 15 }
/** Models are as fast in their first minute as later. */
const COUNTS_OF_A_MODEL: BenchRoundCounts = { warmUp: 1, counted: 4 }

export interface Layer1Parts {
  readonly reading: AnalysisTools
  readonly analyzed: (reading: AnalysisTools) => Stage<ArticleScored, ArticleAnalyzed>
  /** An article's sentences in this process in fp32, in one padded batch; see `paddedBaseline`. */
  readonly baseline: { sentences(texts: readonly string[]): Promise<void> }
}

/** CPU milliseconds an article of 600 word pieces; each the median of the rounds. */
export interface Layer1Figure {
  readonly articles: number
  /** Which tagger it was measured with. */
  readonly recogniser: string
  /** The stage's own process: all of Layer 1 besides the models that have processes of their own. */
  readonly own_ms: number
  /** The models' processes. */
  readonly models_ms: number
  /** Their part for the tagger alone, asked the same again; 0 when it needs no process. */
  readonly tagger_ms: number
  /** Their part for the encoder alone, its sentiment included. */
  readonly encoder_ms: number
  readonly whole_ms: number
  /** The same sentences in fp32, an article's in one padded batch: vectors alone, no names and no sentiment. */
  readonly fp32_padded_ms: number
  /** fp32 with padding, over the encoder's. */
  readonly ratio_to_encoder: number
  /** fp32 with padding, over the whole of Layer 1. */
  readonly ratio_to_whole: number
}

/** Layer 1 whole, then each model alone, then the usual way of encoding: it would leave its garbage to the others. */
export async function benchLayer1(
  articles: readonly ArticleScored[],
  { reading, analyzed, baseline }: Layer1Parts,
): Promise<Layer1Figure> {
  const heard = listened(reading)
  const stage = analyzed(heard.reading)
  const input: RecordedInputs[] = []
  const costs = await rounds(articles, COUNTS, async (batch) => {
    heard.taken()
    const cost = await analysing(batch, stage)
    input.push(heard.taken())
    return cost
  })
  const alone = (work: (given: RecordedInputs) => Promise<unknown>): Promise<readonly RoundCost[]> =>
    again(input, COUNTS_OF_A_MODEL, work)
  const tagger = await alone(({ words }) => Promise.all(words.map((one) => reading.tagger.tags(one))))
  const encoder = await alone(({ sentences }) => Promise.all(sentences.map((some) => reading.encoder.readings(some))))
  const padded = await alone(async ({ sentences }) => {
    for (const some of sentences) await baseline.sentences(some.map(({ text }) => text))
  })
  return figureOf({
    articles: articles.length,
    recogniser: reading.tagger.model,
    costs,
    tagger: median(tagger.map(({ models }) => models)),
    encoder: median(encoder.map(({ models }) => models)),
    padded: median(padded.map(({ own }) => own)),
  })
}

/** What the models were asked for whole rounds, asked again. */
async function again(
  input: readonly RecordedInputs[],
  { warmUp, counted }: BenchRoundCounts,
  work: (given: RecordedInputs) => Promise<unknown>,
): Promise<readonly RoundCost[]> {
  const costs: RoundCost[] = []
  for (const round of input.slice(-(warmUp + counted)))
    costs.push(
      await costOf(round.words.length, async () => {
        await work(round)
      }),
    )
  return costs.slice(warmUp)
}

const analysing = async (
  batch: readonly ArticleScored[],
  stage: Stage<ArticleScored, ArticleAnalyzed>,
): Promise<RoundCost> => {
  const inputs = inputsOf(batch)
  return costOf(batch.length, async () => {
    const outcomes = await stage.handle(inputs)
    if (outcomes.some(({ kind }) => kind !== 'emit')) throw new Error('Layer 1 refused an article of the bench')
  })
}

interface Medians extends Pick<Layer1Figure, 'articles' | 'recogniser'> {
  readonly costs: readonly RoundCost[]
  readonly tagger: number
  readonly encoder: number
  readonly padded: number
}

function figureOf({ articles, recogniser, costs, tagger, encoder, padded }: Medians): Layer1Figure {
  const whole = median(costs.map(({ own, models }) => own + models))
  return {
    articles,
    recogniser,
    own_ms: median(costs.map(({ own }) => own)),
    models_ms: median(costs.map(({ models }) => models)),
    tagger_ms: tagger,
    encoder_ms: encoder,
    whole_ms: whole,
    fp32_padded_ms: padded,
    ratio_to_encoder: padded / encoder,
    ratio_to_whole: padded / whole,
  }
}
