import { DAY_MS } from '../../domain/days.ts'
import type { ArticleAnalyzed } from '../../events/articles.ts'
import type { Origin } from '../../events/ledger.ts'
import { syndicationGroup } from '../../events/ids.ts'
import { bodyOf } from '../../language/body-text.ts'
import { outlineOf, type Outline } from '../../language/near-duplicates/outline.ts'
import { fingerprint } from '../../language/near-duplicates/fingerprint.ts'
import { sampledContainment } from '../../language/near-duplicates/shingle-sample.ts'
import type { OriginWeights } from '../../language/clustering/model.ts'
import { nearTexts, reaches, type TextQuery, type ClusteredNear, type Texts } from './texts.ts'

export interface ClusteredNewcomer extends TextQuery {
  readonly namespace: string
  readonly contentHash: string
  /** Content hashes of the article's earlier revisions; empty if it is new. */
  readonly seen: readonly string[]
  readonly outline: Outline
}

type Readable = Pick<
  ArticleAnalyzed,
  'namespace' | 'article_id' | 'content_hash' | 'occurred_at' | 'dated' | 'title' | 'text' | 'language' | 'sentences'
>

/** Uses the text without a leading copy of its title, like the semantic hash. */
export const newcomer = (
  { title, text, sentences, language, ...article }: Readable,
  weights: OriginWeights,
): ClusteredNewcomer => ({
  seen: [],
  namespace: article.namespace,
  articleId: article.article_id,
  contentHash: article.content_hash,
  time: article.occurred_at,
  dated: article.dated,
  print: fingerprint(bodyOf(title, text) || text, weights),
  outline: outlineOf(text, sentences, language),
})

interface ClusteredMatch {
  readonly near: ClusteredNear
  /** Rounded to a millionth. */
  readonly containment: number
}

/**
 * The origin of an article's text. The article joins the syndication group of the text it shares most with, if the
 * share is at least `same`. It is a duplicate of that group's first article if it contains that one too, so that copies
 * of copies name the original. Below `same` and from `derived` on, it quotes or rewrites. The founder of a group is
 * never a duplicate within it, in any revision.
 */
export function origin(texts: Texts, own: ClusteredNewcomer, weights: OriginWeights): Origin {
  const windowMs = weights.window_days * DAY_MS
  const best = bestOf(nearTexts(texts, own, { windowMs, limit: weights.compared }), own)
  if (best === null || best.containment < weights.same) {
    return {
      syndication_group: ownGroup(texts, own, weights),
      duplicate_of: null,
      ...derivation(best, weights),
      translation: null,
    }
  }

  const { group } = best.near
  if (hasFounded(own, group)) {
    return { syndication_group: group, ...UNDERIVED, duplicate_of: null, containment: best.containment }
  }
  const first = texts.groups.get(group)?.find((article) => reaches(article, own, windowMs))
  const original = first === undefined ? null : match(first, own)
  const named = original !== null && original.containment >= weights.same ? original : best
  return {
    syndication_group: group,
    ...UNDERIVED,
    duplicate_of: named.near.articleId,
    containment: named.containment,
  }
}

const UNDERIVED: Pick<Origin, 'derived_from' | 'translation'> = { derived_from: null, translation: null }

/** Highest containment; ties by arrival. */
function bestOf(near: readonly ClusteredNear[], own: TextQuery): ClusteredMatch | null {
  let best: ClusteredMatch | null = null
  for (const one of near) {
    const next = match(one, own)
    if (best === null || next.containment > best.containment || isEarlier(next, best)) best = next
  }
  return best
}

const isEarlier = (one: ClusteredMatch, other: ClusteredMatch): boolean =>
  one.containment === other.containment && one.near.order < other.near.order

const match = (near: ClusteredNear, { print }: TextQuery): ClusteredMatch => ({
  near,
  containment:
    near.print.hash === print.hash ? 1 : Math.round(sampledContainment(near.print.sample, print.sample) * 1e6) / 1e6,
})

type Derivation = Pick<Origin, 'derived_from' | 'containment'>

function derivation(best: ClusteredMatch | null, { derived }: OriginWeights): Derivation {
  if (best === null) return { derived_from: null, containment: 0 }
  return {
    derived_from: best.containment >= derived ? best.near.articleId : null,
    containment: best.containment,
  }
}

/**
 * A revision with much the same text stays in the article's group. A revision with a different text founds a new group,
 * so that reprints of the first text keep theirs, whether or not they are in memory.
 */
function ownGroup(texts: Texts, own: ClusteredNewcomer, { same }: OriginWeights): string {
  const before = texts.byArticle.get(own.articleId)
  if (before !== undefined && match(before, own).containment >= same) return before.group
  return own.seen.length === 0 ? foundedFirst(own) : foundedBy(own, own.contentHash)
}

type Founder = Pick<ClusteredNewcomer, 'namespace' | 'articleId'>
const foundedFirst = ({ namespace, articleId }: Founder): string => syndicationGroup(namespace, articleId)

const foundedBy = ({ namespace, articleId }: Founder, contentHash: string): string =>
  syndicationGroup(namespace, `${articleId}\n${contentHash}`)

const hasFounded = (own: ClusteredNewcomer, group: string): boolean =>
  group === foundedFirst(own) || own.seen.some((contentHash) => group === foundedBy(own, contentHash))
