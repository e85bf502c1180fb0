import type { Origin, Translation } from '../../events/ledger.ts'
import { translation } from '../../language/near-duplicates/outline.ts'
import { nearestMembers, type Cluster } from './live-index.ts'
import type { ClusteredNewcomer } from './origin.ts'
import type { RememberedText, Texts } from './texts.ts'

/** Members of the story that a text is compared with: those nearest in time. */
const MOST_COMPARED = 64

interface TranslatedStory {
  /** The story of the article; `undefined` if it opens one. */
  readonly story: Cluster | undefined
  readonly texts: Pick<Texts, 'byArticle'>
}

/**
 * The origin of an article, which derives from an article of its story if its text is a translation of that one, or
 * both are of a third. Words that two texts share count first: a reprint stays one.
 */
export function withTranslation(origin: Origin, own: ClusteredNewcomer, { story, texts }: TranslatedStory): Origin {
  if (story === undefined || origin.duplicate_of !== null || origin.derived_from !== null) return origin
  const others = nearestMembers(story, own.time, MOST_COMPARED).flatMap(
    ({ articleId }) => texts.byArticle.get(articleId) ?? [],
  )
  const best = nearestTranslation(own, others)
  return best === null ? origin : { ...origin, derived_from: best.text.articleId, translation: best.found }
}

interface FoundTranslation {
  readonly text: RememberedText
  readonly found: Translation
}

/** The most alike; ties by arrival. */
function nearestTranslation(own: ClusteredNewcomer, others: readonly RememberedText[]): FoundTranslation | null {
  let best: FoundTranslation | null = null
  for (const text of others) {
    const found = text.articleId === own.articleId ? null : translation(own.outline, text.outline)
    if (found !== null && (best === null || isNearer({ text, found }, best))) best = { text, found }
  }
  return best
}

const isNearer = (one: FoundTranslation, other: FoundTranslation): boolean =>
  one.found.length_distance < other.found.length_distance ||
  (one.found.length_distance === other.found.length_distance && one.text.order < other.text.order)
