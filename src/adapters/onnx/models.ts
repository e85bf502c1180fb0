import { openTargetedSentiment } from '../../language/sentiment/targeted-sentiment.ts'
import { once } from '../../language/memoize.ts'
import { type EncodeCross, loadCrossModel } from './cross-model.ts'
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
 * reader and the encoder of all languages are loaded on first use.
 */
export async function loadModels(files: OnnxModelFiles): Promise<(work: OnnxWork) => Promise<Float32Array>> {
  const vocabulary = await openVocabulary(files.tokenizer)
  const encode = miniLm(await openSession(files.onnx), vocabulary)

  const sentiment = once(openTargetedSentiment)
  const reader = onFirstUse<ArticleReader>(() => loadReader(vocabulary, sentiment()))
  const cross = onFirstUse<EncodeCross>(loadCrossModel)
  return async (work) => {
    if (work.kind === 'cross') return (await cross())(work.items)
    if (work.kind !== 'read') return encode(work)
    const read = await reader()
    return packedStates(await read(work.article))
  }
}

/** Loads once. After a failure, the next use tries again: the file may exist by then. */
function onFirstUse<Model>(load: () => Promise<Model>): () => Promise<Model> {
  let loaded: Promise<Model> | undefined
  return async () => {
    try {
      return await (loaded ??= load())
    } catch (cause) {
      loaded = undefined
      throw cause
    }
  }
}
