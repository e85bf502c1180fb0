import type { Tier } from '../../events/settings.ts'

/** The introduction of the OpenAPI document: the rules that all operations share. */
export const about = (
  perMinute: Readonly<Record<Tier, number>>,
): string => `Submit news articles and read the stories they form, each with the evidence behind it.

## Authentication
Send \`Authorization: Bearer pk_live_…\` with every request. Operations of tier \`open\` (\`x-tier\`) need no key. A key belongs to one **namespace**: the shared one or a private one. Ids, searches, counts and cursors are scoped to the namespace; an id of another namespace returns 404, like an unknown one. Keys are issued, rotated and revoked by the operator; a revoked key is rejected within 5 s.

## Scopes
\`x-scope\` is the scope that the key needs: \`read\` (all reads), \`write\` (send articles, manage webhooks and monitors, and every other change), \`curate\` (correct stories) or \`sources\` (manage watched feeds). A key has \`read\` and \`write\` unless the operator gives it others. Without the scope: 403 \`scope_missing\`, for \`curate\` 403 \`curator_required\`; \`required_scope\` names the scope and \`detail\` the remedy. In a private namespace, \`write\` includes \`curate\`.

## Tiers
\`x-tier\` is the lowest tier that may call an operation. \`starter\` includes Layers 0 to 2, trends, changes, webhooks and monitors; \`professional\` and \`enterprise\` add Echo, Layer 3 and relationships. A lower tier receives 403 \`tier_restricted\`.

## Rate limits
Requests per minute: starter ${shown(perMinute.starter)}, professional ${shown(perMinute.professional)}, enterprise ${shown(perMinute.enterprise)}. \`x-rate-cost\` is the cost of a call: one \`request\` (also for a batch), one \`poll\` (a separate limit of 600 per minute for job status) or \`nothing\`. Limits are token buckets that hold one minute of requests, refill evenly, and are counted by each instance of the API. Every response to a known key states what remains (\`RateLimit-Policy\`, \`RateLimit\`; draft-ietf-httpapi-ratelimit-headers-11). Above the limit: 429 with \`Retry-After\`.

## Errors
Errors are \`application/problem+json\` (RFC 9457): \`{type, title, status, detail, instance, code, errors?, required_scope?}\`. Programs should use \`code\`, which is stable; \`detail\` is for people; \`errors\` lists each invalid value by path. Checks run in this order: key (401), address (404 \`not_found\`, 405 with \`Allow\`), rate limit (429), tier and scope (403), body size (413), values (422), the resource itself (404). Any operation may return 500 \`internal_error\`. 503 \`unavailable\` means that an engine is temporarily unavailable (\`Retry-After\`); no data is lost. Malformed requests return 400 \`bad_request\`, requests that do not arrive in time 408 \`request_timeout\`, an \`Expect\` header other than \`100-continue\` 417 \`expectation_failed\`, and an address with headers of more than 16 kB 431 \`headers_too_large\`.

## Values
Returned timestamps are ISO 8601 in UTC with milliseconds. Accepted timestamps may omit \`Z\` (UTC is assumed) or be a date. Unknown parameters and fields are ignored and listed in the \`X-Ignored-Parameters\` header (bodies of webhooks and monitors reject them); with \`?strict=1\`, which every operation accepts, they return 422. A known parameter with an invalid value always returns 422. Bodies are JSON in UTF-8 of at most \`x-max-body-bytes\`.

## Pagination
Lists take \`limit\` and \`cursor\`. \`next_cursor\` (and the \`Link: rel="next"\` header) leads to the next page; \`null\` marks the last one. A cursor is opaque and valid only for its list, parameters and namespace. All pages of one cursor show the same point in time.

## Point in time
\`as_of\` returns the response as it follows from what was published up to that time (event time: an article's publication date, or its arrival if it has none). Windows (\`time_range\`), velocities and ages count back from it. The default is now.

## Idempotency
POST operations that accept \`Idempotency-Key\` can be retried safely: for 24 hours the same key with the same body returns the same response on every instance, and nothing is done twice. With a different body the key returns 422 \`idempotency_key_reused\`.

## Caching, request ids, compression
Reads return an \`ETag\`; \`If-None-Match\` returns 304 if nothing has changed. \`X-Request-Id\` is echoed or generated, and identifies the request in the service's log. \`Accept-Encoding: gzip\` is supported.

## Changes instead of polling
Changes are pushed as they happen: see Changes and Webhooks, and the underlying topics in \`/asyncapi.json\` (\`/docs/events\`).

Examples are recorded responses; long lists in them are shortened.`

const shown = (count: number): string => count.toLocaleString('en')

/** The tags of the document, in its order. */
export const TAGS = [
  { name: 'Service', description: 'Health and documentation. No key is required.' },
  { name: 'Layer 0', description: 'Article intake: quality, language, duplicates, embeddings, and search by meaning.' },
  { name: 'Layer 1', description: 'Article analysis: sentences, entities, places, dates, sums and sentiment.' },
  {
    name: 'Layer 2',
    description: 'Stories: clusters of articles about one event, with membership decisions, evolution and corrections.',
  },
  {
    name: 'Entities',
    description: 'People, organisations, places and events across all articles, and how they are related.',
  },
  { name: 'Trends', description: 'Stories and entities reported more than usual.' },
  { name: 'Layer 3', description: 'The story graph: relationships and narrative threads.' },
  { name: 'Echo', description: 'Public reception of stories on social platforms, with evidence.' },
  { name: 'Changes', description: 'The change feed, polled or streamed.' },
  { name: 'Feeds', description: 'Feeds that are watched: the pages of their new items become articles.' },
  { name: 'Webhooks', description: 'Changes delivered to your endpoints, signed.' },
  { name: 'Monitors', description: 'Saved searches: matching stories are listed, sent to channels and read as feeds.' },
  { name: 'Quality', description: 'Measured quality of the service.' },
] as const
