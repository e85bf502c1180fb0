import type { ArticleScored } from '../events/articles.ts'
import type { AnalysisTools } from '../language/analysis/analyse.ts'
import type { TargetedSentence } from '../ports/encoder.ts'
import type { SentenceWords } from '../ports/tagger.ts'
import { analyzed } from '../stages/analyzed/stage.ts'
import { connect } from '../wiring/connect.ts'
import { readingOf } from '../wiring/stages.ts'
import { inputsOf, scoredArticles } from './inputs.ts'
import { benchOdd, oddArticles, oddTable } from './odd.ts'
import { ms, type BenchPart, type BenchResult, type BenchSetting } from './part.ts'
import { costOf, median, rounds, type BenchRoundCounts, type RoundCost } from './rounds.ts'
import { ofSize, piecesAndBaseline } from './word-pieces.ts'

/** Word pieces in the body of a measured article. */
const PIECES = 600
/** The warm-up ends when the code is compiled and common words are cached: a service runs for days. */
const COUNTS: BenchRoundCounts = { warmUp: 20, counted: 15 }
/** Models are as fast in their first minute as later, so they need little warm-up. */
const COUNTS_OF_A_MODEL: BenchRoundCounts = { warmUp: 1, counted: 4 }

export const layer1: BenchPart = {
  about: `Layer 1 for a body of ${PIECES} word pieces, compared with fp32 in one padded batch; unusual articles`,
  alone: measure,
}

/**
 * Uses one process for the models: two processes that share a core slow each other down, which increases their CPU
 * time.
 */
async function measure({ wiring, articles }: BenchSetting): Promise<BenchResult> {
  const { config, environment } = wiring
  const alone = connect({ ...config, encoder: { ...config.encoder, processes: 1 } }, environment)
  try {
    const { pieceEnds, baseline } = await piecesAndBaseline(alone)
    const reading = await readingOf(alone)
    const scored = (await scoredArticles(articles, alone)).map((event) => ({ ...event, forwarded: true }))
    const bodies = ofSize(scored, { pieces: () => PIECES, pieceEnds })
    const figures = await benchLayer1(bodies, reading, baseline)
    const [base] = bodies
    const texts = oddArticles(articles.map(({ text }) => text))
    const odd = base === undefined ? [] : await benchOdd(texts, { base, analyzed: analyzed(reading) })
    return { figures: { ...figures, odd }, lines: [...table(figures), ...oddTable(odd)] }
  } finally {
    await alone.close()
  }
}

/**
 * Measures all of Layer 1, then each model alone, then the usual way of encoding. They do not alternate, since the
 * garbage of one would slow down the others. CPU milliseconds per article of 600 word pieces, each the median of the
 * rounds.
 */
async function benchLayer1(
  articles: readonly ArticleScored[],
  reading: AnalysisTools,
  baseline: { sentences(texts: readonly string[]): Promise<void> },
) {
  const recorded = recording(reading)
  const stage = analyzed(recorded.reading)
  const input: RecordedInputs[] = []
  const costs = await rounds(articles, COUNTS, async (batch) => {
    const inputs = inputsOf(batch)
    recorded.take()
    const cost = await costOf(batch.length, async () => {
      const outcomes = await stage.handle(inputs)
      if (outcomes.some(({ kind }) => kind !== 'emit')) throw new Error('Layer 1 refused an article of the bench')
    })
    input.push(recorded.take())
    return cost
  })
  const tagger = await repeatInputs(input, ({ words }) => Promise.all(words.map((one) => reading.tagger.tags(one))))
  const encoder = await repeatInputs(input, ({ sentences }) =>
    Promise.all(sentences.map((some) => reading.encoder.readings(some))),
  )
  const padded = await repeatInputs(input, async ({ sentences }) => {
    for (const some of sentences) await baseline.sentences(some.map(({ text }) => text))
  })
  const whole_ms = median(costs.map(({ own, models }) => own + models))
  const encoder_ms = median(encoder.map(({ models }) => models))
  const fp32_padded_ms = median(padded.map(({ own }) => own))
  return {
    articles: articles.length,
    /** The tagger that was used. */
    recogniser: reading.tagger.model,
    /** The stage's own process: all of Layer 1 except the models that run in their own processes. */
    own_ms: median(costs.map(({ own }) => own)),
    /** The models' processes. */
    models_ms: median(costs.map(({ models }) => models)),
    /** The share of the tagger, measured alone with the same inputs; 0 if it does not run in its own process. */
    tagger_ms: median(tagger.map(({ models }) => models)),
    /** The share of the encoder, measured alone, including sentiment. */
    encoder_ms,
    whole_ms,
    /** The same sentences in fp32, in one padded batch per article: only vectors, without names and sentiment. */
    fp32_padded_ms,
    ratio_to_encoder: fp32_padded_ms / encoder_ms,
    ratio_to_whole: fp32_padded_ms / whole_ms,
  }
}

/** Repeats the recorded model inputs of whole rounds. */
async function repeatInputs(
  input: readonly RecordedInputs[],
  work: (given: RecordedInputs) => Promise<unknown>,
): Promise<readonly RoundCost[]> {
  const { warmUp, counted } = COUNTS_OF_A_MODEL
  const costs: RoundCost[] = []
  for (const round of input.slice(-(warmUp + counted))) {
    const { own, models } = await costOf(round.words.length, () => work(round))
    costs.push({ own, models })
  }
  return costs.slice(warmUp)
}

/** The inputs of the models, article by article. */
interface RecordedInputs {
  readonly sentences: (readonly TargetedSentence[])[]
  readonly words: (readonly SentenceWords[])[]
}

/** Records the inputs of the models, so that each model can be measured alone with the same inputs. */
function recording({ encoder, tagger, lists }: AnalysisTools) {
  let inputs: RecordedInputs = { sentences: [], words: [] }
  const reading: AnalysisTools = {
    encoder: {
      ...encoder,
      readings: async (sentences) => {
        inputs.sentences.push(sentences)
        return encoder.readings(sentences)
      },
    },
    tagger: {
      ...tagger,
      tags: async (words) => {
        inputs.words.push(words)
        return tagger.tags(words)
      },
    },
    lists,
  }
  /** Returns what was recorded since the last call. */
  const take = (): RecordedInputs => {
    const given = inputs
    inputs = { sentences: [], words: [] }
    return given
  }
  return { reading, take }
}

const table = (f: Awaited<ReturnType<typeof benchLayer1>>): readonly string[] => [
  `  CPU ms an article, with ${f.recogniser}`,
  `    the stage itself        ${ms(f.own_ms)}`,
  `    models                  ${ms(f.models_ms)}   tagger alone ${f.tagger_ms.toFixed(2)}, encoder alone ${f.encoder_ms.toFixed(2)}`,
  `    Layer 1 whole           ${ms(f.whole_ms)}`,
  `    vectors, fp32 padded    ${ms(f.fp32_padded_ms)}   ${f.ratio_to_encoder.toFixed(1)} times the encoder, ${f.ratio_to_whole.toFixed(1)} times Layer 1 whole`,
]
