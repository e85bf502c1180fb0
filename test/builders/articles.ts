import { type ArticleIngested, type ArticleScored, NO_CROSS_VECTORS } from '../../src/events/articles.ts'
import { articleId, contentHash, derivedId, embeddingId } from '../../src/events/ids.ts'
import { canonicalUrl } from '../../src/events/canonical-url.ts'
import { f32, i8 } from '../../src/events/vector.ts'
import { identified } from '../../src/runtime/read-inputs.ts'
import type { Input } from '../../src/runtime/shapes.ts'

/** An ordinary report of six sentences: long enough for every rule, dull enough for none. */
export const A_REPORT = `The city council voted on Tuesday to close the old harbour bridge for two years of repairs.

Engineers had found cracks in four of its twelve steel arches during an inspection last autumn, the mayor said.

Traffic will be sent over the northern crossing, where the council expects queues of up to forty minutes in the morning. "We know that this will be hard for many families," the mayor told reporters after the vote.

The work is to cost 48.5 million dollars, of which the state has promised to pay one third. Shop owners near the bridge fear that customers will stay away.`

/** 3 May 2016, 12:00 UTC. */
export const A_DAY = Date.UTC(2016, 4, 3, 12)

/** An article as a producer would write it to the log; name only what matters to the test. */
export const anIngestedArticle = (over: Partial<ArticleIngested> = {}): ArticleIngested => ({
  event_id: '',
  namespace: 'shared',
  job_id: null,
  url: 'https://www.example.com/news/harbour-bridge',
  title: 'Harbour bridge to close for two years',
  source: 'Example Times',
  author: 'Jane Doe',
  published_date: A_DAY,
  text: A_REPORT,
  request: null,
  producer: 'test',
  text_source: null,
  ...over,
})

/** An event with its place in the log, and its place for an id where it has none; `offset` tells inputs apart. */
export const anInput = <Event>(
  event: Event,
  { topic = 'articles.ingested', offset = 0, loggedAt = A_DAY + 60_000 } = {},
): Input<Event> => ({
  event: identified(event, { topic, partition: 0, offset }),
  topic,
  place: { topic, partition: 0, offset },
  loggedAt,
})

/** A unit vector of 384 with all its weight on one axis: two axes are unlike, one axis is the same. */
export function axisVector(axis: number): Float32Array {
  const vector = new Float32Array(384)
  vector[axis % 384] = 1
  return vector
}

/** A scored article as Layer 0 emits it. Ids follow from the content unless they are named. */
export function aScoredArticle(over: Partial<ArticleScored> = {}): ArticleScored {
  const namespace = over.namespace ?? 'shared'
  const url = over.url === undefined ? 'https://www.example.com/news/harbour-bridge' : over.url
  const title = over.title === undefined ? 'Harbour bridge to close for two years' : over.title
  const text = over.text ?? A_REPORT
  const article_id = over.article_id ?? articleId(namespace, url === null ? null : canonicalUrl(url), text)
  const content_hash = over.content_hash ?? contentHash(title, text)
  const published_date = over.published_date === undefined ? A_DAY : over.published_date
  return {
    event_id: derivedId({ stage: 'scored', version: 'test' }, `${article_id}\n${content_hash}`),
    namespace,
    occurred_at: published_date ?? A_DAY,
    caused_by: null,
    produced_by: { stage: 'scored', version: 'test' },
    job_id: null,
    text_source: null,
    article_id,
    content_hash,
    url,
    title,
    source: 'Example Times',
    author: 'Jane Doe',
    published_date,
    dated: published_date !== null,
    text,
    language: 'en',
    quality_score: 0.72,
    genre: 'report',
    quality: { rating: 'Good', depth: 0.7, coherence: 0.85, credibility: 0.5, spam: 1 },
    semantic_hash: content_hash.slice(0, 16),
    token_count: text.split(/\s+/).length,
    title_vector: f32('afdb6f1a0e45:title', axisVector(0)),
    lead_vector: f32('afdb6f1a0e45:lead', axisVector(0)),
    ...NO_CROSS_VECTORS,
    embedding: f32('afdb6f1a0e45:mix', axisVector(0)),
    embedding_id: embeddingId('afdb6f1a0e45:mix', article_id, content_hash),
    tokens: [],
    token_vectors: i8('afdb6f1a0e45:term', 384, []),
    forwarded: true,
    gate_reason: 'passed',
    ...over,
  }
}
