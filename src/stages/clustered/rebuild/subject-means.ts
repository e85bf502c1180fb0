import type { Weights } from '../../../language/clustering/model.ts'
import { dot } from '../../../language/vectors.ts'
import type { Features } from '../features.ts'
import { addCross, addLead, addTitle, crossModel, dimension, isForeign, SECTIONS } from '../packed-features.ts'
import { comparedOf, pairLogit, type ArticlePair } from '../pair.ts'
import type { ClusteredTerms } from '../terms.ts'
import { evidenceSample, shareApart, shareOfSameYear, type EvidenceSample } from './evidence-sample.ts'
import { rounded, sampled, type LinkMeans, type NodeGroup } from './link-means.ts'
import { dotTerms, sumTerms, unitTerms } from './term-sums.ts'

/** The number of articles of a group whose numbers, weekdays, places and years are compared. At most 32. */
const EVIDENCE_ARTICLES = 32

/** Articles of a group whose vectors are of the same models, all with a body or none, all in English or none. */
interface ArticleSums {
  readonly encoder: string
  readonly crossModel: number
  readonly hasBody: boolean
  readonly foreign: boolean
  readonly nodes: readonly number[]
  /** The number of articles with a date. */
  readonly dated: number
  /** Sums of vectors of unit length. */
  readonly lead: Float32Array
  readonly title: Float32Array
  /** Without components if the articles have no such vector. */
  readonly crossTitle: Float32Array
  readonly crossLead: Float32Array
  readonly bodyTerms: ClusteredTerms
  readonly titleTerms: ClusteredTerms
  readonly entityTerms: ClusteredTerms
}

/**
 * Mean links by subject, from sums over the articles of each group: the mean cosine of all pairs of two groups is the
 * product of their summed unit vectors over the number of pairs. Once the sums are known, it takes about as long for two
 * stories as for two articles. Numbers, weekdays, places and years are compared for a sample of the articles.
 */
export class SubjectMeans implements LinkMeans {
  private readonly articles: readonly ClusteredArticle[]
  private readonly weights: Pick<Weights, 'pair' | 'rebuild'>
  private readonly sums = new WeakMap<NodeGroup, readonly ArticleSums[]>()
  private readonly samples = new WeakMap<ArticleSums, EvidenceSample>()

  constructor(articles: readonly ClusteredArticle[], weights: Pick<Weights, 'pair' | 'rebuild'>) {
    this.articles = articles
    this.weights = weights
  }

  between(one: NodeGroup, other: NodeGroup): number {
    const [mine, theirs] = comparedOf(this.sumsOf(one), this.sumsOf(other), ({ foreign }) => !foreign)
    let [sum, pairs] = [0, 0]
    for (const a of mine) {
      for (const b of theirs) {
        sum += pairsOf(a, b) * this.meanLogit(a, b)
        pairs += pairsOf(a, b)
      }
    }
    return rounded(sum / pairs)
  }

  /** All pairs take no longer than an estimate. */
  estimate(one: NodeGroup, other: NodeGroup): number {
    return this.between(one, other)
  }

  /** Cohesion is not used for subjects. */
  within(): null {
    return null
  }

  private meanLogit(one: ArticleSums, other: ArticleSums): number {
    if (one.encoder !== other.encoder) return this.weights.rebuild.far
    return pairLogit(this.meanPair(one, other), this.weights.pair)
  }

  private meanPair(one: ArticleSums, other: ArticleSums): ArticlePair {
    if ((one.foreign || other.foreign) && one.crossModel === other.crossModel) return this.meanCross(one, other)
    return one.hasBody && other.hasBody ? this.meanBody(one, other) : meanHeadline(one, other)
  }

  /** Mean features, without the time gap. */
  private meanCross(one: ArticleSums, other: ArticleSums): ArticlePair {
    const hasLeads = one.foreign && other.foreign
    const title = dot(one.crossTitle, other.crossTitle) / pairsOf(one, other)
    return {
      kind: 'cross',
      values: [
        title,
        hasLeads ? dot(one.crossLead, other.crossLead) / pairsOf(one, other) : title,
        shareApart(this.sampleOf(one), this.sampleOf(other), 'numbers'),
        0,
        1,
        undatedShare(one, other),
      ],
    }
  }

  /** Mean features, without the time gap. */
  private meanBody(one: ArticleSums, other: ArticleSums): ArticlePair {
    const pairs = pairsOf(one, other)
    const [mine, theirs] = [this.sampleOf(one), this.sampleOf(other)]
    return {
      kind: 'body',
      values: [
        dot(one.lead, other.lead) / pairs,
        dot(one.title, other.title) / pairs,
        dotTerms(one.bodyTerms, other.bodyTerms) / pairs,
        dotTerms(one.entityTerms, other.entityTerms) / pairs,
        0,
        shareApart(mine, theirs, 'numbers'),
        shareApart(mine, theirs, 'weekdays'),
        shareApart(mine, theirs, 'places'),
        shareOfSameYear(mine, theirs),
        1,
        undatedShare(one, other),
      ],
    }
  }

  private sumsOf(group: NodeGroup): readonly ArticleSums[] {
    const known = this.sums.get(group)
    if (known !== undefined) return known
    const { nodes, joined } = group
    const sums = joined === null ? this.sumsOfNodes(nodes) : this.sumsOfJoined(joined)
    this.sums.set(group, sums)
    return sums
  }

  /** The sums of the two parts are not needed again. */
  private sumsOfJoined({ left, right }: NonNullable<NodeGroup['joined']>): readonly ArticleSums[] {
    const sums = added([...this.sumsOf(left), ...this.sumsOf(right)])
    this.sums.delete(left)
    this.sums.delete(right)
    return sums
  }

  /** In halves: to add one article after the other would copy the sums of all before it each time. */
  private sumsOfNodes(nodes: readonly number[]): readonly ArticleSums[] {
    if (nodes.length <= 1) return nodes.flatMap((node) => this.sumsOfNode(node))
    const middle = nodes.length >> 1
    return added([nodes.slice(0, middle), nodes.slice(middle)].flatMap((half) => this.sumsOfNodes(half)))
  }

  private sumsOfNode(node: number): ArticleSums[] {
    return this.featuresOf(node).map((features) => {
      const { encoder, hasBody, dated } = features
      const [model, foreign] = [crossModel(features), isForeign(features)]
      const [lead, title] = [new Float32Array(dimension(features)), new Float32Array(dimension(features))]
      addLead(features, lead)
      addTitle(features, title)
      const crossTitle = new Float32Array(model === 0 ? 0 : dimension(features))
      const crossLead = new Float32Array(foreign ? dimension(features) : 0)
      addCross(features, crossTitle, 0)
      addCross(features, crossLead, 1)
      return {
        ...{ encoder, hasBody, dated: Number(dated), nodes: [node], lead, title },
        ...{ crossModel: model, foreign, crossTitle, crossLead },
        bodyTerms: unitTerms(features, SECTIONS.body),
        titleTerms: unitTerms(features, SECTIONS.title),
        entityTerms: unitTerms(features, SECTIONS.entities),
      }
    })
  }

  private sampleOf(sums: ArticleSums): EvidenceSample {
    const known = this.samples.get(sums)
    if (known !== undefined) return known
    const sample = evidenceSample(sampled(sums.nodes, EVIDENCE_ARTICLES).flatMap((node) => this.featuresOf(node)))
    this.samples.set(sums, sample)
    return sample
  }

  private featuresOf(node: number): Features[] {
    const article = this.articles[node]
    return article === undefined ? [] : [article.features]
  }
}

interface ClusteredArticle {
  readonly features: Features
}

const pairsOf = (one: ArticleSums, other: ArticleSums): number => one.nodes.length * other.nodes.length

const undatedShare = (one: ArticleSums, other: ArticleSums): number =>
  1 - (one.dated * other.dated) / pairsOf(one, other)

/** Mean features, without the time gap. */
const meanHeadline = (one: ArticleSums, other: ArticleSums): ArticlePair => ({
  kind: 'headline',
  values: [
    dot(one.title, other.title) / pairsOf(one, other),
    dotTerms(one.titleTerms, other.titleTerms) / pairsOf(one, other),
    0,
    1,
    undatedShare(one, other),
  ],
})

/** The sums of all articles of a kind. */
function added(all: readonly ArticleSums[]): readonly ArticleSums[] {
  const byKind = new Map<string, ArticleSums>()
  for (const sums of all) {
    const kind = `${sums.hasBody} ${sums.foreign} ${sums.crossModel} ${sums.encoder}`
    const known = byKind.get(kind)
    byKind.set(kind, known === undefined ? sums : sum(known, sums))
  }
  return [...byKind.values()]
}

const plus = (one: Float32Array, other: Float32Array): Float32Array => one.map((value, i) => value + (other[i] ?? 0))

const sum = (one: ArticleSums, other: ArticleSums): ArticleSums => ({
  ...one,
  nodes: [...one.nodes, ...other.nodes],
  dated: one.dated + other.dated,
  lead: plus(one.lead, other.lead),
  title: plus(one.title, other.title),
  crossTitle: plus(one.crossTitle, other.crossTitle),
  crossLead: plus(one.crossLead, other.crossLead),
  bodyTerms: sumTerms(one.bodyTerms, other.bodyTerms),
  titleTerms: sumTerms(one.titleTerms, other.titleTerms),
  entityTerms: sumTerms(one.entityTerms, other.entityTerms),
})
