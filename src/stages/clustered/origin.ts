import type { ArticleAnalyzed, Origin } from '../../events/articles.ts'
import { syndicationGroup } from '../../events/ids.ts'
import { bodyOf } from '../../language/body-of.ts'
import { containment } from '../../language/near-duplicates/containment.ts'
import { fingerprint } from '../../language/near-duplicates/fingerprint.ts'
import type { OriginWeights } from './model.ts'
import { nearTexts, reaches, type Asked, type Near, type Texts } from './texts.ts'

const DAY_MS = 86_400_000

export interface Newcomer extends Asked {
  readonly namespace: string
  readonly contentHash: string
}

type Readable = Pick<
  ArticleAnalyzed,
  'namespace' | 'article_id' | 'content_hash' | 'occurred_at' | 'dated' | 'title' | 'text'
>

/** By the text itself, without a copy of its title before it: as the semantic hash has it. */
export const newcomer = ({ title, text, ...article }: Readable, weights: OriginWeights): Newcomer => ({
  namespace: article.namespace,
  articleId: article.article_id,
  contentHash: article.content_hash,
  time: article.occurred_at,
  dated: article.dated,
  print: fingerprint(bodyOf(title, text) || text, weights),
})

interface Match {
  readonly near: Near
  /** Rounded to a millionth. */
  readonly containment: number
}

/**
 * Whose text an article is. It belongs to the group of the text it shares most with, from `same` on, and is a duplicate
 * of that group's first article if it holds that one too, so that copies of copies name the original. Below `same` and
 * from `derived` on it quotes or rewrites. The founder of a group is nobody's duplicate in it, whatever its revisions.
 */
export function origin(texts: Texts, own: Newcomer, weights: OriginWeights): Origin {
  const windowMs = weights.window_days * DAY_MS
  const best = bestOf(nearTexts(texts, own, { windowMs, limit: weights.compared }), own)
  if (best === null || best.containment < weights.same) return ofItsOwn(texts, own, derivation(best, weights))

  const { group } = best.near
  if (group === syndicationGroup(own.namespace, own.articleId)) {
    return { syndication_group: group, duplicate_of: null, derived_from: null, containment: best.containment }
  }
  const first = texts.groups.get(group)?.find((article) => reaches(article, own, windowMs))
  const original = first === undefined ? null : match(first, own)
  const named = original !== null && original.containment >= weights.same ? original : best
  return {
    syndication_group: group,
    duplicate_of: named.near.articleId,
    derived_from: null,
    containment: named.containment,
  }
}

/** Highest containment; of equals the first to have arrived. */
function bestOf(near: readonly Near[], own: Asked): Match | null {
  let best: Match | null = null
  for (const one of near) {
    const next = match(one, own)
    if (best === null || next.containment > best.containment || isEarlier(next, best)) best = next
  }
  return best
}

const isEarlier = (one: Match, other: Match): boolean =>
  one.containment === other.containment && one.near.order < other.near.order

const match = (near: Near, { print }: Asked): Match => ({
  near,
  containment:
    near.print.hash === print.hash ? 1 : Math.round(containment(near.print.shingles, print.shingles) * 1e6) / 1e6,
})

type Derivation = Pick<Origin, 'derived_from' | 'containment'>

function derivation(best: Match | null, { derived }: OriginWeights): Derivation {
  if (best === null) return { derived_from: null, containment: 0 }
  return {
    derived_from: best.containment >= derived ? best.near.articleId : null,
    containment: best.containment,
  }
}

/**
 * A group of its own. An article whose revision is another text leaves the group it founded to the re-prints of its
 * first text.
 */
function ofItsOwn(texts: Texts, { namespace, articleId, contentHash }: Newcomer, derivation: Derivation): Origin {
  const founded = syndicationGroup(namespace, articleId)
  const others = texts.groups.get(founded)?.some((article) => article.articleId !== articleId) ?? false
  return {
    syndication_group: others ? syndicationGroup(namespace, `${articleId}\n${contentHash}`) : founded,
    duplicate_of: null,
    ...derivation,
  }
}
