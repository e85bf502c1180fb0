import { paddedBaseline } from '../../adapters/onnx/padded-baseline.ts'
import { loadTokenizer, placedPieces } from '../../adapters/onnx/vocabulary.ts'
import { fetchFp32Model, fetchModel } from '../../engines/fetch.ts'
import type { Wiring } from '../../ports/wiring.ts'

/** The service's own way of counting word pieces, and the usual way of encoding them, to compare with. */
export async function piecesAndBaseline({ config, out }: Wiring) {
  const onProgress = (line: string): void => out.progress(line)
  const model = await fetchModel(config.cache, onProgress)
  const tokenizer = await loadTokenizer(model.tokenizer)
  const placed = placedPieces((text) => tokenizer.encode(text, { add_special_tokens: false }).ids)
  return {
    pieceEnds: (text: string): readonly number[] => placed(text).ends,
    baseline: await paddedBaseline(await fetchFp32Model(config.cache, onProgress), model.tokenizer),
  }
}
