import { paddedBaseline } from '../../adapters/onnx/padded-baseline.ts'
import { loadTokenizer } from '../../adapters/onnx/tokenizer.ts'
import { placedPieces } from '../../adapters/onnx/word-pieces.ts'
import { benchLayer0, PIECES, type Layer0Figure } from '../../bench/layer0-bench.ts'
import { fetchFp32Model, fetchModel } from '../../engines/fetch.ts'
import { scored } from '../../stages/scored/stage.ts'
import { stageNeeds } from '../stage-parts.ts'
import { ms, type Measured, type Part, type Setting } from './part.ts'

export const layer0: Part = {
  says: `Layer 0 for an article of ${PIECES} word pieces, beside the same windows in fp32 with padded batches`,
  alone: measure,
}

async function measure({ wiring, articles }: Setting): Promise<Measured> {
  const { config, out } = wiring
  const onProgress = (line: string): void => out.progress(line)
  const model = await fetchModel(config.cache, onProgress)
  const tokenizer = await loadTokenizer(model.tokenizer)
  const placed = placedPieces((text) => tokenizer.encode(text, { add_special_tokens: false }).ids)
  const figures = await benchLayer0(articles, {
    scored: scored(await stageNeeds(wiring).scored()),
    pieceEnds: (text) => placed(text).ends,
    baseline: await paddedBaseline(await fetchFp32Model(config.cache, onProgress), model.tokenizer),
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
