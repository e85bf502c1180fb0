import { projectPath } from '../../project-path.ts'
import type { SentenceWords } from '../../ports/tagger.ts'
import type { Work } from './messages.ts'
import { loadMiniLm } from './mini-lm.ts'
import { loadTagger, type TagSentences, type TaggerFiles } from './tagger-model.ts'
import { openVocabulary } from './vocabulary.ts'

export interface ModelFiles {
  /** all-MiniLM-L6-v2, int8. */
  readonly onnx: string
  /** Its tokenizer.json. */
  readonly tokenizer: string
}

/** Ours, and so beside the code. */
export const TAGGER: TaggerFiles = {
  onnx: projectPath('models/ner/tagger.onnx'),
  json: projectPath('models/ner/tagger.json'),
}

/** The language models in this process: work in, rows out, as `messages.ts` says. The tagger is loaded when first asked. */
export async function loadModels(files: ModelFiles): Promise<(work: Work) => Promise<Float32Array>> {
  const vocabulary = await openVocabulary(files.tokenizer)
  const encode = await loadMiniLm(files.onnx, vocabulary)
  let tagger: Promise<TagSentences> | undefined
  return async (work) => {
    if (work.kind !== 'tags') return await encode(work)
    tagger ??= loadTagger(TAGGER, vocabulary)
    return await tagged(await tagger, work.items)
  }
}

async function tagged(tag: TagSentences, articles: readonly (readonly SentenceWords[])[]): Promise<Float32Array> {
  const rows: number[] = []
  for (const sentences of articles) {
    const tags = await tag(sentences)
    rows.push(tags.length, ...tags.flatMap((row) => [...row]))
  }
  return Float32Array.from(rows)
}

/** The tags of one article as `tagged` packs them: of its first sentences, as many as were read. */
export function unpackedTags(rows: Float32Array, sentences: readonly SentenceWords[]): Uint8Array[] {
  let from = 1
  return sentences.slice(0, rows[0]).map(({ length }) => Uint8Array.from(rows.subarray(from, (from += length))))
}
