import type { ArticleIngested } from '../events/articles.ts'
import { scored } from '../stages/scored/stage.ts'
import { stageDependencies } from '../wiring/stages.ts'
import { inputsOf } from './inputs.ts'
import { ms, type BenchPart, type BenchResult, type BenchSetting } from './part.ts'
import { costOf, median, rounds, type BenchRoundCounts } from './rounds.ts'
import { ofSize, piecesAndBaseline } from './word-pieces.ts'

/** Word pieces of a measured article, including its title. */
const PIECES = 600
/** The warm-up ends when the code is compiled and common words are cached: a service runs for days. */
const COUNTS: BenchRoundCounts = { warmUp: 30, counted: 15 }

export const layer0: BenchPart = {
  about: `Layer 0 for an article of ${PIECES} word pieces, compared with fp32 and padded batches`,
  alone: measure,
}

async function measure(setting: BenchSetting): Promise<BenchResult> {
  const figures = await benchLayer0(setting)
  return { figures, lines: table(figures) }
}

/**
 * Measures all of Layer 0, then the usual way of encoding. They do not alternate, since the garbage of one would slow
 * down the other. CPU milliseconds per article of 600 word pieces, each the median of the rounds.
 */
async function benchLayer0({ wiring, articles: given }: BenchSetting) {
  const stage = scored(await stageDependencies(wiring).scored())
  const { pieceEnds, baseline } = await piecesAndBaseline(wiring)
  const articles = ofSize(given, { pieces: (title) => PIECES - pieceEnds(title).length, pieceEnds })
  const costs = await rounds(articles, COUNTS, (batch) => {
    const inputs = inputsOf(batch)
    return costOf(batch.length, async () => {
      const outcomes = await stage.handle(inputs)
      if (outcomes.some(({ kind }) => kind !== 'emit')) throw new Error('Layer 0 refused an article of the bench')
    })
  })
  const encoding = (batch: readonly ArticleIngested[]) =>
    costOf(batch.length, () => baseline.articles(batch.map(({ title, text }) => ({ title: title ?? '', body: text }))))
  const encoder_ms = median(costs.map(({ models }) => models))
  const fp32_padded_ms = median((await rounds(articles, COUNTS, encoding)).map(({ own }) => own))
  return {
    articles: articles.length,
    /** The stage's own process: all of Layer 0 except the encoder. */
    own_ms: median(costs.map(({ own }) => own)),
    encoder_ms,
    whole_ms: median(costs.map(({ own, models }) => own + models)),
    /** The encoder's work in fp32 with padded batches. */
    fp32_padded_ms,
    ratio: fp32_padded_ms / encoder_ms,
  }
}

const table = (f: Awaited<ReturnType<typeof benchLayer0>>): readonly string[] => [
  '  CPU ms an article',
  `    the stage itself        ${ms(f.own_ms)}`,
  `    encoder                 ${ms(f.encoder_ms)}`,
  `    Layer 0 whole           ${ms(f.whole_ms)}`,
  `    encoder, fp32 padded    ${ms(f.fp32_padded_ms)}   ${f.ratio.toFixed(1)} times as much`,
]
