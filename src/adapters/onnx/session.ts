import { InferenceSession, Tensor } from 'onnxruntime-node'
import { DIM } from '../vector-rows.ts'

/** One thread that sleeps when it has nothing to do: the pool, not the model, uses the machine's cores. */
const OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  extra: { session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } } },
}

/** The last states of windows of word pieces, marks included: float32[window, position, DIM]. */
export type States = (windows: readonly (readonly number[])[]) => Promise<Float32Array>

/** Windows of one call are padded to the longest. */
export async function openSession(onnx: string): Promise<States> {
  const session = await InferenceSession.create(onnx, OPTIONS)
  return async (windows) => {
    const length = windows.reduce((longest, ids) => Math.max(longest, ids.length), 0)
    const shape = [windows.length, length]
    const [ids, mask] = [new BigInt64Array(windows.length * length), new BigInt64Array(windows.length * length)]
    for (const [row, window] of windows.entries()) {
      ids.set(BigInt64Array.from(window, BigInt), row * length)
      mask.fill(1n, row * length, row * length + window.length)
    }
    const { last_hidden_state: states } = await session.run({
      input_ids: new Tensor('int64', ids, shape),
      attention_mask: new Tensor('int64', mask, shape),
      token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
    })
    if (states?.dims[2] !== DIM || !(states.data instanceof Float32Array))
      throw new Error(`The model gives no float32[${DIM}]`)
    return states.data
  }
}
