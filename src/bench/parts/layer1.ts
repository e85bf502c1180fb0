import { benchLayer1, PIECES, type Layer1Figure } from '../layer1-bench.ts'
import { oddArticles } from '../odd-articles.ts'
import { benchOdd, type OddFigure } from '../odd-bench.ts'
import { ofSize } from '../rounds.ts'
import { analyzed } from '../../stages/analyzed/stage.ts'
import { connect } from '../../wiring/connect.ts'
import { readingOf } from '../../wiring/stages.ts'
import { piecesAndBaseline } from './fp32.ts'
import { ms, type BenchResult, type BenchPart, type BenchSetting } from './part.ts'
import { scoredArticles } from './scored-articles.ts'

export const layer1: BenchPart = {
  says: `Layer 1 for a body of ${PIECES} word pieces, compared with fp32 in one padded batch; unusual articles`,
  alone: measure,
}

/** One process for the models: two at once slow each other down where they share a core, and CPU time counts that. */
async function measure({ wiring, articles }: BenchSetting): Promise<BenchResult> {
  const { config, environment } = wiring
  const alone = connect({ ...config, encoder: { ...config.encoder, processes: 1 } }, environment)
  try {
    return await measured({ wiring: alone, articles })
  } finally {
    await alone.close()
  }
}

async function measured({ wiring, articles }: BenchSetting): Promise<BenchResult> {
  const { pieceEnds, baseline } = await piecesAndBaseline(wiring)
  const reading = await readingOf(wiring)
  const scored = (await scoredArticles(articles, wiring)).map((event) => ({ ...event, forwarded: true }))
  const bodies = ofSize(scored, { pieces: () => PIECES, pieceEnds })
  const figures = await benchLayer1(bodies, { reading, analyzed, baseline })
  const [as] = bodies
  const odd =
    as === undefined
      ? []
      : await benchOdd(oddArticles(articles.map(({ text }) => text)), { as, analyzed: analyzed(reading) })
  return { figures: { ...figures, odd }, lines: [...table(figures), ...oddTable(odd)] }
}

const table = (f: Layer1Figure): readonly string[] => [
  `  CPU ms an article, with ${f.recogniser}`,
  `    the stage itself        ${ms(f.own_ms)}`,
  `    models                  ${ms(f.models_ms)}   tagger alone ${f.tagger_ms.toFixed(2)}, encoder alone ${f.encoder_ms.toFixed(2)}`,
  `    Layer 1 whole           ${ms(f.whole_ms)}`,
  `    vectors, fp32 padded    ${ms(f.fp32_padded_ms)}   ${f.ratio_to_encoder.toFixed(1)} times the encoder, ${f.ratio_to_whole.toFixed(1)} times Layer 1 whole`,
]

const MB = 1024 * 1024

const oddTable = (figures: readonly OddFigure[]): readonly string[] => [
  '  odd articles            CPU ms   wall ms   truncated   analyzed characters   names   memory +MB',
  ...figures.map((f) =>
    [
      `    ${f.article.padEnd(19)}`,
      f.cpu_ms.toFixed(0).padStart(6),
      f.wall_ms.toFixed(0).padStart(9),
      (f.truncated ? 'yes' : 'no').padStart(11),
      `${f.analyzed_chars} of ${f.characters}`.padStart(21),
      String(f.entities).padStart(7),
      (f.peak_growth_bytes / MB).toFixed(0).padStart(12),
    ].join(' '),
  ),
]
