import { EncoderPool } from '../../src/adapters/onnx/encoder-pool.ts'

/** A parent of encoder processes that a test kills: `encoder-parent.ts ONNX TOKENIZER`; prints their process ids. */
const [onnx = '', tokenizer = ''] = process.argv.slice(2)
const pool = await EncoderPool.start({ onnx, tokenizer }, 2)
console.log(JSON.stringify(pool.pids))
