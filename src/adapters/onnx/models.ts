import { LRUCache } from 'lru-cache'
import { ENCODED_SENTENCES } from '../../language/analysis/analyse.ts'
import { openTargetedSentiment } from '../../language/sentiment/targeted-sentiment.ts'
import type { SentenceWords } from '../../ports/tagger.ts'
import { projectPath } from '../../config/project-path.ts'
import {
  accurateTagger,
  FAST_LAYER,
  fastTagger,
  loadFastHead,
  type TaggerFiles,
  type TagSentences,
  loadTagger,
} from './tagger.ts'
import type { OnnxWork } from './encoder-work.ts'
import { miniLm } from './mini-lm.ts'
import { openMappedSession } from './session.ts'
import { openVocabulary } from './vocabulary.ts'

/**
 * `fast`: a head on the encoder's states, at almost no cost. `accurate`: also runs a separate network on the sentences
 * for which the head is uncertain.
 */
export type Tagging = 'accurate' | 'fast'

export interface OnnxModelFiles {
  /** all-MiniLM-L6-v2, int8. */
  readonly onnx: string
  /** The model's tokenizer.json. */
  readonly tokenizer: string
  /** Default: `accurate`. */
  readonly tagging?: Tagging
}

const ours = (name: string): TaggerFiles => ({
  onnx: projectPath(`models/ner/${name}.onnx`),
  json: projectPath(`models/ner/${name}.json`),
})
/** Our own models, shipped with the code. */
export const TAGGERS: Readonly<Record<Tagging, TaggerFiles>> = { accurate: ours('tagger'), fast: ours('fast-head') }

/**
 * Loads the language models into this process. Takes work and returns rows, as described in `encoder-work.ts`. The
 * tagger is loaded on first use.
 */
export async function loadModels({
  tagging = 'accurate',
  ...files
}: OnnxModelFiles): Promise<(work: OnnxWork) => Promise<Float32Array>> {
  const vocabulary = await openVocabulary(files.tokenizer)
  const sentiment = openTargetedSentiment()
  const opened = await openMappedSession(files.onnx, sentiment, FAST_LAYER)
  // The tagger's head and the reading that follows encode the same sentences.
  const session = { ...opened, mapped: cached(opened.mapped) }
  const encode = miniLm(session, vocabulary, sentiment)
  const inner = async (window: readonly number[]): Promise<Float32Array> =>
    (await session.mapped([vocabulary.first, ...window, vocabulary.last])).inner

  let tagger: Promise<TagSentences> | undefined
  const load = async (): Promise<TagSentences> => {
    const head = await loadFastHead(TAGGERS.fast, inner)
    if (tagging === 'fast') return fastTagger(head, vocabulary)
    const network = await loadTagger(TAGGERS.accurate, vocabulary)
    return accurateTagger({ head, network, vocabulary, encoded: ENCODED_SENTENCES })
  }
  const loaded = async (): Promise<TagSentences> => {
    try {
      return await (tagger ??= load())
    } catch (cause) {
      tagger = undefined // the file may exist next time
      throw cause
    }
  }
  return async (work) => (work.kind === 'tags' ? tagged(await loaded(), work.items) : encode(work))
}

async function tagged(tag: TagSentences, articles: readonly (readonly SentenceWords[])[]): Promise<Float32Array> {
  const rows: number[] = []
  for (const sentences of articles) {
    const tags = await tag(sentences)
    rows.push(tags.length)
    for (const row of tags) for (const each of row) rows.push(each)
  }
  return Float32Array.from(rows)
}

/** Unpacks the tags of one article: an array per sentence, for the first sentences, as far as the tagger read. */
export function unpackedTags(rows: Float32Array, sentences: readonly SentenceWords[]): Uint8Array[] {
  let from = 1
  return sentences.slice(0, rows[0]).map(({ length }) => Uint8Array.from(rows.subarray(from, (from += length))))
}

/** Number of windows whose states are cached: enough for the articles in progress, about 30 MB. */
const CACHED_WINDOWS = 160

/** Caches the results of the last `max` windows. */
export function cached<Value>(
  compute: (window: readonly number[]) => Promise<Value>,
  max = CACHED_WINDOWS,
): (window: readonly number[]) => Promise<Value> {
  const known = new LRUCache<string, Promise<Value>>({ max })
  return async (window) => {
    const key = window.join(' ')
    const value = known.get(key) ?? compute(window)
    known.set(key, value)
    value.catch(() => known.delete(key)) // a failed window can be retried
    return value
  }
}
