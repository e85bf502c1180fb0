import type { ArticleIngested, TextSource } from '../events/articles.ts'
import { canonicalUrl } from '../events/canonical-url.ts'
import type { ProducedBy } from '../events/envelope.ts'
import { articleId, contentHash, derivedId } from '../events/ids.ts'
import type { Fields } from '../domain/intake/articles.ts'
import { plainText, shortLine } from '../language/plain-text.ts'

const BY: ProducedBy = { stage: 'import', version: '1' }

export interface Ingested {
  readonly article_id: string
  /** The hash of the visible text. The stage `scored` computes the same. */
  readonly content_hash: string
  readonly event: ArticleIngested
}

/** The event of an imported article. Its id is derived from the content, so a repeated import gives the same event. */
export function ingested(fields: Fields, origin: IngestedEventOrigin): Ingested {
  const { namespace, producer, text_source = null } = origin
  const url = fields.url === null ? null : canonicalUrl(fields.url)
  const article_id = articleId(namespace, url, fields.text)
  const content_hash = contentHash(shortLine(fields.title), plainText(fields.text))
  const event_id = derivedId(BY, [namespace, article_id, content_hash].join('\n'))
  const event = { event_id, namespace, job_id: null, ...fields, request: null, producer, text_source }
  return { article_id, content_hash, event }
}

export interface IngestedEventOrigin {
  readonly namespace: string
  /** The producer of the record, such as `import-jsonl`. */
  readonly producer: string
  /** What the text was taken from; by default as its producer gave it. */
  readonly text_source?: TextSource
}
