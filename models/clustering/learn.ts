import { bodyOf } from '../../src/language/body-of.ts'
import { entityKeys } from '../../src/stages/clustered/entity-keys.ts'
import type { Weights } from '../../src/language/clustering/model.ts'
import { firstWords, tokens } from '../../src/stages/clustered/tokens.ts'

/** Terms in fewer documents than this are left out: they count as unknown, which loses nothing that was measured. */
const MIN_DOCUMENTS = 10

type ClusteringCounts = Map<string, number>

const add = (counts: ClusteringCounts, terms: Iterable<string>): void => {
  for (const term of new Set(terms)) counts.set(term, (counts.get(term) ?? 0) + 1)
}

const kept = (counts: ClusteringCounts): Record<string, number> =>
  Object.fromEntries([...counts].filter(([, n]) => n >= MIN_DOCUMENTS).sort(([a], [b]) => (a < b ? -1 : 1)))

/** In how many articles each word, each name and each word of a title occurs. */
export function documentFrequencies(
  articles: readonly { readonly title: string | null; readonly text: string }[],
  { body_words, entity_characters }: Weights['text'],
) {
  const words: ClusteringCounts = new Map()
  const entities: ClusteringCounts = new Map()
  const titles: ClusteringCounts = new Map()
  for (const { title, text } of articles) {
    const rest = bodyOf(title, text)
    const titleTokens = tokens(title ?? '')
    add(titles, titleTokens)
    add(words, [...titleTokens, ...tokens(firstWords(rest, body_words))])
    add(entities, entityKeys(rest.slice(0, entity_characters)).keys())
  }
  return { documents: articles.length, words: kept(words), entities: kept(entities), titles: kept(titles) }
}
