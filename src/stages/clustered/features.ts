import type { ArticleFacts } from '../../events/articles.ts'
import type { Envelope } from '../../events/envelope.ts'
import { sha256 } from '../../events/ids.ts'
import { vectors, type Vector } from '../../events/vector.ts'
import { bodyOf } from '../../language/body-text.ts'
import { firstWords, hasWords, tokens } from './tokens.ts'
import { entityKeys } from './entity-keys.ts'
import { evidence } from './evidence.ts'
import type { ClusteringModel, DocumentFrequencies } from '../../language/clustering/model.ts'
import { packFeatures, type CrossFeatures, type FeatureBlock, type LooseFeatures } from './packed-features.ts'
import { count, idf, packed, share, unit, weigh } from './terms.ts'

/** The features by which articles are compared; the vectors and terms are in the block. */
export interface Features extends FeatureBlock {
  /** Event time, milliseconds since 1970. */
  readonly time: number
  readonly dated: boolean
  readonly hasBody: boolean
  /** The model of the vectors. Vectors of different models are never compared. */
  readonly encoder: string
}

export type Comparable = Pick<Envelope, 'occurred_at'> &
  Pick<
    ArticleFacts,
    'title' | 'text' | 'dated' | 'lead_vector' | 'title_vector' | 'cross_title_vector' | 'cross_vector'
  >

type CrossVectorsOfArticle = Pick<Comparable, 'cross_title_vector' | 'cross_vector'>

/** Returns `null` if the two vectors differ in model or width. */
export function features(article: Comparable, model: Pick<ClusteringModel, 'weights' | 'idf' | 'mu'>): Features | null {
  const read = vectorsOf(article, model)
  if (read === null) return null
  const { lead, title, encoder } = read
  const { text: limits } = model.weights
  const rest = bodyOf(article.title, article.text)
  return {
    time: article.occurred_at,
    dated: article.dated,
    hasBody: hasWords(rest, limits.min_body_words),
    encoder,
    ...packFeatures({
      lead,
      title,
      cross: crossOf(article, model.mu.length),
      ...termsOf(article.title ?? '', rest, model),
      evidence: evidence(`${article.title ?? ''}\n${rest}`.slice(0, limits.evidence_characters)),
    }),
  }
}

/** Returns `null` if the two vectors differ in model or width. */
export function vectorsOf(
  { lead_vector, title_vector }: Pick<Comparable, 'lead_vector' | 'title_vector'>,
  { mu }: Pick<ClusteringModel, 'mu'>,
): { readonly lead: Float32Array; readonly title: Float32Array; readonly encoder: string } | null {
  const [lead] = vectors(lead_vector)
  const [title] = vectors(title_vector)
  const encoder = encoderOf(lead_vector)
  if (lead?.length !== mu.length || title?.length !== lead.length) return null
  return encoder === encoderOf(title_vector) ? { lead, title, encoder } : null
}

/** `null` if the article has no cross-language vectors of one model and the width of the others. */
function crossOf({ cross_title_vector, cross_vector }: CrossVectorsOfArticle, width: number): CrossFeatures | null {
  const [title] = vectors(cross_title_vector)
  const [lead = null] = vectors(cross_vector)
  if (title?.length !== width) return null
  if (lead !== null && (lead.length !== width || encoderOf(cross_vector) !== encoderOf(cross_title_vector))) return null
  return { model: numberOf(encoderOf(cross_title_vector)), title, lead }
}

/** A number of 16 bits, not 0, for the name of a model. */
const numberOf = (name: string): number => (sha256(name).readUInt16LE(0) % 0xffff) + 1

/** The part of a vector's name that identifies its model. */
export const encoderOf = ({ model }: Vector): string => model.split(':', 1)[0] ?? ''

type TermFeatures = Pick<LooseFeatures, 'bodyTerms' | 'titleTerms' | 'entityTerms' | 'keys'>

function termsOf(title: string, rest: string, model: Pick<ClusteringModel, 'weights' | 'idf'>): TermFeatures {
  const words = knownOnce(model.idf.words)
  const names = knownOnce(model.idf.entities)
  const { text: limits } = model.weights
  const lead = firstWords(rest, limits.lead_words)
  const leadTokens = tokens(lead)
  const bodyTokens = tokens(firstWords(rest, limits.body_words).slice(lead.length))
  const ownTitle = tokens(title)
  const titleTokens = ownTitle.length > 0 ? ownTitle : leadTokens.slice(0, limits.untitled_tokens)
  const entities = weigh(entityKeys(rest.slice(0, limits.entity_characters)), names)
  return {
    bodyTerms: unit(weigh(count([...ownTitle, ...leadTokens, ...bodyTokens]), words)),
    titleTerms: unit(weigh(count(titleTokens), words)),
    entityTerms: unit(entities),
    keys: packed(
      keys(
        { titleTokens, lead: weigh(count([...ownTitle, ...leadTokens]), words), entities },
        { weights: model.weights, idf: { words, entities: names, titles: model.idf.titles } },
      ),
    ),
  }
}

/** The frequencies of one article's terms, which are looked up several times: a table of all terms takes longer. */
function knownOnce({ documents, counts: all }: DocumentFrequencies): DocumentFrequencies {
  const known = new Map<string, number>()
  const get = (term: string): number => {
    const found = known.get(term)
    if (found !== undefined) return found
    const read = all.get(term) ?? 0
    known.set(term, read)
    return read
  }
  return { documents, counts: { get } }
}

interface KeySources {
  readonly titleTokens: readonly string[]
  readonly lead: ReadonlyMap<string, number>
  readonly entities: ReadonlyMap<string, number>
}

/** Title words, the best lead words and the best names, without common ones. */
function keys(
  from: KeySources,
  { weights, idf: tables }: Pick<ClusteringModel, 'weights' | 'idf'>,
): Map<string, number> {
  const { common_share, tokens: leadKeys, entities: entityKeys } = weights.keys
  const rare = (table: DocumentFrequencies) => (term: string) => share(table, term) <= common_share
  const found = new Map<string, number>()
  for (const term of from.titleTokens.filter(rare(tables.titles))) found.set(term, idf(tables.words, term))
  for (const term of best(from.lead, rare(tables.words), leadKeys)) found.set(term, idf(tables.words, term))
  for (const name of best(from.entities, rare(tables.entities), entityKeys)) {
    found.set(`name:${name}`, idf(tables.entities, name))
  }
  return found
}

function best(weights: ReadonlyMap<string, number>, isRare: (term: string) => boolean, limit: number): string[] {
  const ranked = [...weights].filter(([term]) => isRare(term))
  ranked.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return ranked.slice(0, limit).map(([term]) => term)
}
