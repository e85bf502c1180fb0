import { openTargetedSentiment } from '../../language/sentiment/targeted-sentiment.ts'
import { once } from '../../language/memoize.ts'
import { type OnnxWork, packedStates } from './encoder-work.ts'
import { miniLm } from './mini-lm.ts'
import { loadReader, type ArticleReader } from './reader.ts'
import { openSession } from './session.ts'
import { openVocabulary } from './vocabulary.ts'

export interface OnnxModelFiles {
  /** all-MiniLM-L6-v2, int8. */
  readonly onnx: string
  /** The model's tokenizer.json. */
  readonly tokenizer: string
}

/**
 * Loads the language models into this process. Takes work and returns rows, as described in `encoder-work.ts`. The
 * reader is loaded on first use.
 */
export async function loadModels(files: OnnxModelFiles): Promise<(work: OnnxWork) => Promise<Float32Array>> {
  const vocabulary = await openVocabulary(files.tokenizer)
  const encode = miniLm(await openSession(files.onnx), vocabulary)

  const sentiment = once(openTargetedSentiment)
  let reader: Promise<ArticleReader> | undefined
  const loaded = async (): Promise<ArticleReader> => {
    try {
      return await (reader ??= loadReader(vocabulary, sentiment()))
    } catch (cause) {
      reader = undefined // the file may exist next time
      throw cause
    }
  }
  return async (work) => {
    if (work.kind !== 'read') return encode(work)
    const read = await loaded()
    return packedStates(await read(work.article))
  }
}
