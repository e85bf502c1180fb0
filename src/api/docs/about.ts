import type { Tier } from '../../events/settings.ts'

/** What a stranger has to know beside the operations, in the order in which it is needed. */
export const about = (
  perMinute: Readonly<Record<Tier, number>>,
): string => `News articles in, stories that explain themselves out.

## Authentication
Send \`Authorization: Bearer pk_live_…\` with every request; operations of tier \`open\` (\`x-tier\`) need none. A key belongs to one **namespace**: the shared one, or a private one that nobody else sees. Ids, searches, counts and cursors of another namespace do not exist for you: asking for them is 404 as for made-up ones. Keys are issued, rotated and revoked by the operator; a revoked one is refused within 5 s.

## Tiers
\`x-tier\` is the lowest tier that may call an operation: \`starter\` has Layers 0 to 2, trends, live changes and webhooks; \`professional\` and \`enterprise\` also Echo, Layer 3 and relationships. A lower key gets 403 \`tier_restricted\`. Correcting stories of the shared namespace needs a curator's key (403 \`curator_required\`); in a private namespace every key may.

## Rate limits
Requests a minute: starter ${shown(perMinute.starter)}, professional ${shown(perMinute.professional)}, enterprise ${shown(perMinute.enterprise)}. \`x-rate-cost\` says what a call spends: one \`request\` (a batch too), one \`poll\` (a bucket of its own, 600 a minute, for the status of jobs) or \`nothing\`. Buckets refill evenly, are a minute deep, and are counted by each instance of the API for itself. Every answer to a known key says what is left (\`RateLimit-Policy\`, \`RateLimit\`, as draft-ietf-httpapi-ratelimit-headers-11). With none left: 429 and \`Retry-After\`.

## Refusals
All are \`application/problem+json\` (RFC 9457): \`{type, title, status, detail, instance, code, errors?}\`. \`code\` is stable and what programs should look at; \`detail\` is for people; \`errors\` names each wrong value by its path. Checks come in this order: key (401), address (404 \`not_found\`, 405 with \`Allow\`), rate (429), tier and right (403), body (413), values (422), the thing itself (404). Any operation may answer 500 \`internal_error\`; 503 \`unavailable\` means an engine is away for the moment (\`Retry-After\`), and nothing was lost. Requests that are no HTTP, have no Host header or an address that cannot be read are 400 \`bad_request\`, those that do not arrive in time 408 \`request_timeout\`, those that expect other than \`100-continue\` 417 \`expectation_failed\`; an address with headers of more than 16 kB is 431 \`headers_too_large\`.

## Values
Timestamps out are ISO 8601 UTC with milliseconds; in, with or without \`Z\` (without is UTC), or a plain date. Unknown parameters and fields are ignored and named in the header \`X-Ignored-Parameters\` (bodies of webhooks alone refuse them); with \`?strict=1\`, which every operation takes, they are 422. A known one with a bad value is always 422, never replaced in silence. A body is JSON in UTF-8 of at most \`x-max-body-bytes\`.

## Pages
Lists take \`limit\` and \`cursor\`. \`next_cursor\` of an answer (and its \`Link: rel="next"\`) is what follows; null is the end. A cursor is opaque and belongs to its list, parameters and namespace; all pages of one walk are of one moment.

## Time
\`as_of\` asks for the answer as it follows from what was published up to that moment (event time: an article's publication date, its arrival where it has none). Windows (\`time_range\`), velocities and ages count back from it. The default is now.

## Sending again
\`Idempotency-Key\` on a POST that takes it: the same key with the same body gives the same answer for 24 hours, on every instance, and nothing is done twice; with another body it is 422 \`idempotency_key_reused\`.

## Caching, ids, compression
Reads carry an \`ETag\`; \`If-None-Match\` gives 304. \`X-Request-Id\` is echoed or made, and finds the request in our log. \`Accept-Encoding: gzip\` is honoured.

## Nobody has to poll
What happens is told as it happens: see Changes and Webhooks, and the topics behind them in \`/asyncapi.json\` (\`/docs/events\`).

Examples are real answers; long lists in them are shortened.`

const shown = (count: number): string => count.toLocaleString('en')

/** The parts of the service, in the order of the document. */
export const TAGS = [
  { name: 'Service', description: 'How the service is, and what it says of itself. No key is needed.' },
  { name: 'Layer 0', description: 'Articles in: quality, language, duplicates, meaning; search by meaning.' },
  { name: 'Layer 1', description: 'What an article says: sentences, names, places, dates, sums, sentiment.' },
  {
    name: 'Layer 2',
    description: 'Stories: articles about one event, why each is in its story, how it grew, corrections by curators.',
  },
  {
    name: 'Entities',
    description: 'People, organisations, places and events over all articles, and which of them are co-mentioned.',
  },
  { name: 'Trends', description: 'Stories and entities that are reported more than usual.' },
  { name: 'Layer 3', description: 'The graph over stories: relationships, narrative threads.' },
  { name: 'Echo', description: 'How the public received stories, with its evidence.' },
  { name: 'Changes', description: 'What happens, in one order: polled, or as a stream.' },
  { name: 'Webhooks', description: 'What happens, sent to an address of yours, signed.' },
  { name: 'Quality', description: 'How well all this is done, measured.' },
] as const
