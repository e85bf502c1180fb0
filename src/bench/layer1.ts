import type { ArticleScored } from '../events/articles.ts'
import type { AnalysisTools } from '../language/analysis/analyse.ts'
import type { Reader, SentenceInWords } from '../ports/reader.ts'
import { analyzed } from '../stages/analyzed/stage.ts'
import { connect } from '../wiring/connect.ts'
import { readingOf } from '../wiring/stages.ts'
import { inputsOf, scoredArticles } from './inputs.ts'
import { benchOdd, oddArticles, oddTable } from './odd.ts'
import { ms, type BenchPart, type BenchResult, type BenchSetting } from './part.ts'
import { costOf, median, rounds, type BenchRoundCounts } from './rounds.ts'
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
 * Measures all of Layer 1, then the usual way of encoding. They do not alternate, since the garbage of one would slow
 * down the other. CPU milliseconds per article of 600 word pieces, each the median of the rounds.
 */
async function benchLayer1(
  articles: readonly ArticleScored[],
  { reader, crossReader, lists }: AnalysisTools,
  baseline: { sentences(texts: readonly string[]): Promise<void> },
) {
  const read: (readonly SentenceInWords[])[] = []
  const recording: Reader = {
    ...reader,
    read: async (sentences) => {
      read.push(sentences)
      return reader.read(sentences)
    },
  }
  const stage = analyzed({ reader: recording, crossReader, lists })
  const costs = await rounds(articles, COUNTS, async (batch) => {
    const inputs = inputsOf(batch)
    return costOf(batch.length, async () => {
      const outcomes = await stage.handle(inputs)
      if (outcomes.some(({ kind }) => kind !== 'emit')) throw new Error('Layer 1 refused an article of the bench')
    })
  })
  const padded = await rounds(read.slice(-articles.length), COUNTS_OF_A_MODEL, (batch) =>
    costOf(batch.length, async () => {
      for (const sentences of batch) await baseline.sentences(sentences.map(({ text }) => text))
    }),
  )
  const whole_ms = median(costs.map(({ own, models }) => own + models))
  const models_ms = median(costs.map(({ models }) => models))
  const fp32_padded_ms = median(padded.map(({ own }) => own))
  return {
    articles: articles.length,
    /** The model that read the articles. */
    reader: reader.models.recogniser,
    /** The stage's own process: all of Layer 1 except the model that runs in its own process. */
    own_ms: median(costs.map(({ own }) => own)),
    /** The model's process: names, vectors and the states that sentiment is computed from. */
    models_ms,
    whole_ms,
    /** The same sentences in fp32, in one padded batch per article: only vectors, without names and sentiment. */
    fp32_padded_ms,
    ratio_to_models: fp32_padded_ms / models_ms,
    ratio_to_whole: fp32_padded_ms / whole_ms,
  }
}

const table = (f: Awaited<ReturnType<typeof benchLayer1>>): readonly string[] => [
  `  CPU ms an article, with ${f.reader}`,
  `    the stage itself        ${ms(f.own_ms)}`,
  `    the model               ${ms(f.models_ms)}`,
  `    Layer 1 whole           ${ms(f.whole_ms)}`,
  `    vectors, fp32 padded    ${ms(f.fp32_padded_ms)}   ${f.ratio_to_models.toFixed(1)} times the model, ${f.ratio_to_whole.toFixed(1)} times Layer 1 whole`,
]
