import type { InferenceSession } from 'onnxruntime-node'

/** One thread that sleeps when it has nothing to do: the pool, not the model, uses the machine's cores. */
export const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  extra: { session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } } },
}
