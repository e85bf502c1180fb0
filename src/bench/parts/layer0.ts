import { benchLayer0, PIECES, type Layer0Figure } from '../layer0-bench.ts'
import { scored } from '../../stages/scored/stage.ts'
import { stageDependencies } from '../../wiring/stages.ts'
import { piecesAndBaseline } from './fp32.ts'
import { ms, type BenchResult, type BenchPart, type BenchSetting } from './part.ts'

export const layer0: BenchPart = {
  says: `Layer 0 for an article of ${PIECES} word pieces, compared with fp32 and padded batches`,
  alone: measure,
}

async function measure({ wiring, articles }: BenchSetting): Promise<BenchResult> {
  const figures = await benchLayer0(articles, {
    scored: scored(await stageDependencies(wiring).scored()),
    ...(await piecesAndBaseline(wiring)),
  })
  return { figures, lines: table(figures) }
}

const table = ({ own_ms, encoder_ms, whole_ms, fp32_padded_ms, ratio }: Layer0Figure): readonly string[] => [
  '  CPU ms an article',
  `    the stage itself        ${ms(own_ms)}`,
  `    encoder                 ${ms(encoder_ms)}`,
  `    Layer 0 whole           ${ms(whole_ms)}`,
  `    encoder, fp32 padded    ${ms(fp32_padded_ms)}   ${ratio.toFixed(1)} times as much`,
]
