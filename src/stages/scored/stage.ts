import { articlesIngested, articlesScored, type ArticleIngested, type ArticleScored } from '../../events/articles.ts'
import { contentHash, derivedId, embeddingId } from '../../events/ids.ts'
import { bf16, f32 } from '../../events/vector.ts'
import { bodyOf } from '../../language/body-of.ts'
import { languageOf } from '../../language/language-of.ts'
import { credibility as credibilityOf, type Credibility } from '../../language/quality/credibility.ts'
import { quality as qualityOf } from '../../language/quality/quality.ts'
import { read } from '../../language/quality/reading.ts'
import { semanticHash } from '../../language/semantic-hash.ts'
import type { Encoder } from '../../ports/encoder.ts'
import { emit, refuse, type Input, type Outcome, type Stage } from '../../runtime/shapes.ts'
import { cleaned, type CleanArticle } from './cleaned.ts'
import { gate as gateOf } from './gate.ts'
import { mix } from './mix.ts'
import { occurredAt } from './occurred-at.ts'

export interface Dependencies {
  readonly encoder: Encoder
  readonly credibility: Credibility
  /** Quality an article of the shared namespace needs to be forwarded, 0 to 1. */
  readonly gate: number
}

const BY = { stage: 'scored', version: '1' } as const

/** Layer 0: what an article says, in which language, how well, and where it stands among others. */
export const scored = (dependencies: Dependencies): Stage<ArticleIngested, ArticleScored> => ({
  name: BY.stage,
  version: BY.version,
  reads: articlesIngested,
  writes: articlesScored,

  handle: async (inputs) => {
    const articles = inputs.map(({ event }) => cleaned(event))
    const readable = articles.filter((article) => typeof article !== 'string')
    const vectors = await vectorsOf(dependencies.encoder, readable)

    return inputs.map((input, i): Outcome<ArticleScored> => {
      const article = articles[i] ?? 'text_too_short'
      if (typeof article === 'string') return refuse(article)
      return emit(score(input, article, { ...dependencies, vectors: vectors(article) }))
    })
  },
})

interface Vectors {
  readonly title: Float32Array
  readonly lead: Float32Array
}

/** One call for all titles, one for all leads; an article without a title has its lead for both. */
async function vectorsOf(encoder: Encoder, articles: readonly CleanArticle[]): Promise<(of: CleanArticle) => Vectors> {
  const titled = articles.flatMap((article) => (article.title === null ? [] : [{ article, title: article.title }]))
  const [titles, leads] = await Promise.all([
    titled.length > 0 ? encoder.sentences(titled.map(({ title }) => title)) : [],
    articles.length > 0
      ? encoder.leads(articles.map(({ title, text }) => ({ title: title ?? '', body: bodyOf(title, text) })))
      : [],
  ])
  const byTitle = new Map(titled.map(({ article }, i) => [article, titles[i]]))
  const byLead = new Map(articles.map((article, i) => [article, leads[i]]))
  return (article) => {
    const lead = byLead.get(article)
    const title = article.title === null ? lead : byTitle.get(article)
    if (lead === undefined || title === undefined)
      throw new Error('The encoder gave fewer vectors than it was given texts')
    return { lead, title }
  }
}

function score(
  { event, topic, place, loggedAt }: Input<ArticleIngested>,
  article: CleanArticle,
  { encoder, credibility, gate, vectors }: Dependencies & { readonly vectors: Vectors },
): ArticleScored {
  const { title, text } = article
  const body = bodyOf(title, text) || text // a text that is only its headline is judged as it is
  const language = languageOf(body)
  const reading = read(body, language)
  const quality = qualityOf(reading, credibilityOf(credibility, article))
  const article_id = articlesIngested.key(event)
  const content_hash = contentHash(title, text)
  const model = `${encoder.model}:mix`

  return {
    event_id: derivedId(BY, event.event_id),
    namespace: event.namespace,
    occurred_at: occurredAt(event.published_date, loggedAt),
    caused_by: { topic, partition: place.partition, offset: place.offset },
    produced_by: BY,
    job_id: event.job_id,
    article_id,
    content_hash,
    ...article,
    published_date: event.published_date,
    dated: event.published_date !== null,
    language,
    quality_score: quality.score,
    quality: quality.parts,
    semantic_hash: semanticHash(body),
    token_count: reading.words.length,
    title_vector: f32(`${encoder.model}:title`, vectors.title),
    lead_vector: f32(`${encoder.model}:lead`, vectors.lead),
    embedding: f32(model, mix(vectors.title, vectors.lead)),
    embedding_id: embeddingId(model, article_id, content_hash),
    tokens: [],
    token_vectors: bf16(`${encoder.model}:term`, encoder.dim, []),
    ...gateOf(event.namespace, quality.score, gate),
  }
}
