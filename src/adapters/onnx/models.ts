import { CROSS_SENTIMENT, openTargetedSentiment } from '../../language/sentiment/targeted-sentiment.ts'
import { once } from '../../language/memoize.ts'
import { type CrossVocabulary, type EncodeCross, loadCrossModel, openCrossVocabulary } from './cross-model.ts'
import { type CrossArticleReader, loadCrossReader } from './cross-reader.ts'
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
 * readers and the encoder of all languages are loaded on first use.
 */
export async function loadModels(files: OnnxModelFiles): Promise<(work: OnnxWork) => Promise<Float32Array>> {
  const vocabulary = await openVocabulary(files.tokenizer)
  const encode = miniLm(await openSession(files.onnx), vocabulary)

  const sentiment = once(() => openTargetedSentiment())
  const reader = onFirstUse<ArticleReader>(() => loadReader(vocabulary, sentiment()))
  const crossVocabulary = onFirstUse<CrossVocabulary>(openCrossVocabulary)
  const cross = onFirstUse<EncodeCross>(async () => loadCrossModel(await crossVocabulary()))
  const crossReader = onFirstUse<CrossArticleReader>(async () =>
    loadCrossReader(await crossVocabulary(), openTargetedSentiment(CROSS_SENTIMENT)),
  )
  return async (work) => {
    if (work.kind === 'cross') return (await cross())(work.items)
    if (work.kind === 'read') return packedStates(await (await reader())(work.article))
    if (work.kind === 'cross-read') return packedStates(await (await crossReader())(work.sentences))
    return encode(work)
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
