import { openSession } from '../adapters/onnx/session.ts'
import { loadTokenizer, marks } from '../adapters/onnx/vocabulary.ts'
import { fetchModel } from '../engines/fetch.ts'
import { ownCpuMs } from './processes.ts'
import type { BenchSetting } from './part.ts'
import { median } from './rounds.ts'

/** The batch in which the published encoder reads word pieces fastest, without its special tokens. */
const BATCH = { sentences: 24, pieces: 25 }
const ROUNDS = { warmUp: 5, counted: 25 }

/**
 * What reading `pieces` word pieces costs at best, for comparison: CPU milliseconds of the published encoder alone, in full
 * batches of equal sentences, on one thread, without tokenising. The median of the rounds; a service may run beside it.
 */
export async function encoderLimit({ wiring, articles }: BenchSetting, pieces: number): Promise<number> {
  const model = await fetchModel(wiring.config.cache, (line) => wiring.out.progress(line))
  const tokenizer = await loadTokenizer(model.tokenizer)
  const [first, last] = marks(tokenizer)
  const ids = articles.flatMap(({ text }) => [...tokenizer.encode(text, { add_special_tokens: false }).ids])
  const encode = await openSession(model.onnx)
  const size = BATCH.sentences * BATCH.pieces
  const costs: number[] = []
  for (let round = 0; round < ROUNDS.warmUp + ROUNDS.counted; round++) {
    const batch = Array.from({ length: BATCH.sentences }, (_, i) => {
      const from = (round * size + i * BATCH.pieces) % Math.max(1, ids.length - BATCH.pieces)
      return [first, ...ids.slice(from, from + BATCH.pieces), last]
    })
    const before = ownCpuMs()
    await encode(batch)
    costs.push(ownCpuMs() - before)
  }
  return median(costs.slice(ROUNDS.warmUp)) * (pieces / size)
}
