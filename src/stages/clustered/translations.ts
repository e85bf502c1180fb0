import type { Origin, Translation } from '../../events/ledger.ts'
import { isComparable, readOutline, translation, type ReadOutline } from '../../language/near-duplicates/outline.ts'
import { nearestMembers, type Cluster } from './live-index.ts'
import type { ClusteredStories } from './memory.ts'
import type { ClusteredNewcomer } from './origin.ts'
import type { RememberedText } from './texts.ts'

/** Texts that a text is compared with: those of its story that are nearest in time. */
const MOST_COMPARED = 64
/** Members of the story among which they are looked for. */
const MOST_LOOKED_AT = 1_000

interface TranslatedStory extends Pick<ClusteredStories, 'members' | 'texts'> {
  /** The story of the article; `undefined` if it opens one. */
  readonly story: Cluster | undefined
}

/**
 * The origin of an article, which derives from an article of its story if its text is a translation of that one, or
 * both are of a third. A source in its story with which it shares words comes first. A revision stays a translation of
 * the same article, or becomes none: otherwise a revised original would derive from its own translations.
 */
export function withTranslation(
  origin: Origin,
  own: ClusteredNewcomer,
  { story, members, texts }: TranslatedStory,
): Origin {
  const source = origin.duplicate_of ?? origin.derived_from
  if (story === undefined || (source !== null && members.get(source)?.clusterId === story.id)) return origin
  const outline = readOutline(own.outline)
  const others = own.seen.length === 0 ? comparedTexts(outline, own, { story, texts }) : sourceBefore(own, texts)
  const best = nearestTranslation(outline, others)
  return best === null ? origin : { ...origin, derived_from: best.text.articleId, translation: best.found }
}

/** One text of each group of reprints, the nearest in time. */
function comparedTexts(
  outline: ReadOutline,
  own: ClusteredNewcomer,
  { story, texts }: { readonly story: Cluster; readonly texts: ClusteredStories['texts'] },
): readonly RememberedText[] {
  const byGroup = new Map<string, RememberedText>()
  for (const { articleId } of nearestMembers(story, own.time, MOST_LOOKED_AT)) {
    const text = texts.byArticle.get(articleId)
    if (text === undefined || byGroup.has(text.group) || !isComparable(outline, text.outline)) continue
    byGroup.set(text.group, text)
    if (byGroup.size === MOST_COMPARED) break
  }
  return [...byGroup.values()]
}

/** The text that the revision before was a translation of. */
function sourceBefore({ articleId }: ClusteredNewcomer, { byArticle }: ClusteredStories['texts']) {
  const source = byArticle.get(byArticle.get(articleId)?.translates ?? '')
  return source === undefined ? [] : [source]
}

interface FoundTranslation {
  readonly text: RememberedText
  readonly found: Translation
}

/** The most alike; ties by arrival. */
function nearestTranslation(own: ReadOutline, others: readonly RememberedText[]): FoundTranslation | null {
  let best: FoundTranslation | null = null
  for (const text of others) {
    const found = translation(own, readOutline(text.outline))
    if (found !== null && (best === null || isNearer({ text, found }, best))) best = { text, found }
  }
  return best
}

const isNearer = (one: FoundTranslation, other: FoundTranslation): boolean =>
  one.found.length_distance < other.found.length_distance ||
  (one.found.length_distance === other.found.length_distance && one.text.order < other.text.order)
