import type { Entity } from '../events/articles.ts'
import { entitiesOf } from '../language/analysis/entities-of.ts'
import { namedSpans } from '../language/recogniser/named-spans.ts'
import { quickTags, type QuickFiles } from '../language/recogniser/quick-tagger.ts'
import { readWords } from '../language/recogniser/words.ts'
import { sentences } from '../language/sentences.ts'

/** The entities of an article, read without a language model: a whole file is measured in minutes. Feelings are 0. */
export function quickEntities(
  files: QuickFiles,
  { text, published }: { readonly text: string; readonly published: number | null },
): Entity[] {
  const spans = sentences(text)
  const reached = readWords(text, spans)
  const tags = reached.map(({ words }) => quickTags(files, words.texts))
  return entitiesOf(text, {
    sentences: spans.map((span) => ({ ...span, sentiment_score: 0 })),
    names: namedSpans(text, { read: reached, tags }, files).flat(),
    towards: [],
    reached,
    published,
    lists: files,
  })
}
