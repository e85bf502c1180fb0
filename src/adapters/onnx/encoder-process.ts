import { messageOf } from '../../domain/message-of.ts'
import type { OnnxAnswer, OnnxWork } from './encoder-work.ts'
import { loadModels } from './models.ts'

/**
 * The model runs in its own process, because it blocks for milliseconds at a time. The process ends when its parent
 * does.
 */
const [onnx = '', tokenizer = ''] = process.argv.slice(2)

const answer = (message: OnnxAnswer): void => {
  if (process.connected) process.send?.(message)
}
const failed = (cause: unknown): void => answer({ kind: 'failed', message: messageOf(cause) })

process.on('disconnect', () => process.exit(0))
// Ctrl-C reaches the whole process group. The parent still needs vectors for the current batch and disconnects
// afterwards.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)

try {
  const encode = await loadModels({ onnx, tokenizer })
  let before = Promise.resolve()
  process.on('message', (work: OnnxWork) => {
    before = before
      .then(() => encode(work)) // in request order: responses carry no id
      .then((rows) => answer({ kind: 'vectors', rows }), failed)
  })
  answer({ kind: 'ready' })
} catch (cause) {
  failed(cause)
  process.exitCode = 1
  process.disconnect()
}
