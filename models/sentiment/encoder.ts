import { join } from 'node:path'
import { onnxEncoder } from '../../src/adapters/onnx/language-models.ts'
import type { Encoder } from '../../src/ports/encoder.ts'

/** The service's own encoder, from a folder with the two model files: states are made the way the service makes them. */
export const openEncoder = async (folder: string): Promise<Encoder> =>
  onnxEncoder({
    onnx: join(folder, 'all-minilm-l6-v2-q.onnx'),
    tokenizer: join(folder, 'all-minilm-l6-v2-q-tokenizer.json'),
    processes: 1,
  })
