import type { OnnxAnswer, OnnxWork } from './encoder-work.ts'
import { loadModels } from './models.ts'

/** A process of its own for the model, because it computes for milliseconds on end. Ends when its parent does. */
const [onnx = '', tokenizer = '', tagging] = process.argv.slice(2)

const answer = (message: OnnxAnswer): void => {
  if (process.connected) process.send?.(message)
}
const failed = (cause: unknown): void =>
  answer({ kind: 'failed', message: cause instanceof Error ? cause.message : String(cause) })

process.on('disconnect', () => process.exit(0))
// Ctrl-C reaches the whole group; the parent still needs vectors for the batch in progress and disconnects afterwards.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)

try {
  const encode = await loadModels({ onnx, tokenizer, tagging: tagging === 'fast' ? 'fast' : 'accurate' })
  let before = Promise.resolve()
  process.on('message', (work: OnnxWork) => {
    before = before
      .then(() => encode(work)) // in the order of asking: answers carry no name
      .then((rows) => answer({ kind: 'vectors', rows }), failed)
  })
  answer({ kind: 'ready' })
} catch (cause) {
  failed(cause)
  process.exitCode = 1
  process.disconnect()
}
