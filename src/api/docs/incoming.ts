import { z, type OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import { CHANGE_DATA, pascalCase } from '../changes/change-schema.ts'
import type { ChangeType } from '../../events/changes.ts'
import { CHANGE_EXAMPLES } from '../http/openapi/example.ts'
import { timestamp } from '../http/parameters.ts'

type Registry = OpenAPIHono['openAPIRegistry']

const HEADERS = {
  'webhook-id': {
    description:
      'Of the change, as its `id` in the feed: the same at every attempt and redelivery. Ignore one that was worked on.',
    schema: { type: 'string', example: 'evt_hd7mzq3x5w2aypk4vtn6jrsb7c' },
  },
  'webhook-timestamp': {
    description: 'Of this attempt, seconds since 1970. Refuse what is more than five minutes off.',
    schema: { type: 'string', pattern: '^[0-9]+$', example: '1795334591' },
  },
  'webhook-signature': {
    description:
      'As Standard Webhooks has it: `v1,` and the base64 of HMAC-SHA256, under the bytes of the secret behind `whsec_`, over ' +
      '`{webhook-id}.{webhook-timestamp}.{body}`, the body byte for byte as it came. During a rotation one a secret, with ' +
      'spaces between: one that fits is enough.',
    schema: { type: 'string', example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=' },
  },
} as const

const ANSWERS = {
  WebhookTaken: 'Any 2xx within 15 seconds: it has arrived.',
  WebhookGone: 'The endpoint is disabled: nothing is sent to it any more.',
  WebhookNotTaken:
    'Anything else, a redirect and no answer too: tried again, ten times over three days, no sooner than `Retry-After` asks.',
} as const

const DOCUMENTED_CHANGES: readonly { readonly type: ChangeType; readonly summary: string }[] = [
  { type: 'article.scored', summary: 'An article came' },
  { type: 'article.revised', summary: 'An article came with another text or title than before' },
  { type: 'cluster.opened', summary: 'A story began' },
  { type: 'cluster.grown', summary: 'Articles came to a story' },
  { type: 'cluster.moved', summary: 'Articles went to another story' },
  { type: 'cluster.merged', summary: 'Two stories became one' },
  { type: 'cluster.split', summary: 'One story became two' },
  { type: 'cluster.settled', summary: 'The membership of a story has settled: all its articles' },
  { type: 'cluster.corrected', summary: 'A curator corrected a story' },
  { type: 'story.transitioned', summary: 'A story moved to another lifecycle state' },
  { type: 'story.enriched', summary: 'How a platform receives a story now; for professional keys' },
  { type: 'trend.detected', summary: 'A story grows fast' },
  { type: 'entity.spike', summary: 'An entity is named far more than usual' },
  { type: 'sentiment.shift', summary: 'The tone towards an entity changes' },
]

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** What the service sends, by type: one entry of `webhooks` each, whose headers and answers are said once. */
export function registerIncoming(registry: Registry): void {
  for (const [name, { description, schema }] of Object.entries(HEADERS)) {
    registry.registerComponent('parameters', name, { name, in: 'header', required: true, description, schema })
  }
  for (const [name, description] of Object.entries(ANSWERS)) {
    registry.registerComponent('responses', name, { description })
  }
  for (const { type, summary } of DOCUMENTED_CHANGES) {
    registry.registerWebhook(incoming({ type, summary, data: CHANGE_DATA[type], example: CHANGE_EXAMPLES[type] }))
  }
  registry.registerWebhook(incoming(TEST))
}

const TEST = {
  type: 'webhook.test',
  summary: 'A test that `POST /v1/webhooks/{id}/test` asked for, whatever the filters',
  data: z.object({ webhook_id: z.string() }).openapi('TestPayload'),
  example: { webhook_id: 'whk_q2x4mvhb7k3zt5wa' },
} as const

interface Incoming {
  readonly type: string
  readonly summary: string
  readonly data: z.ZodType
  readonly example: unknown
}

function incoming({ type, summary, data, example }: Incoming): RouteConfig {
  const schema = z.object({ type: z.literal(type), timestamp, data })
  const shown = { type, timestamp: '2026-11-22T08:03:11.000Z', data: example }
  return {
    ...{ method: 'post', path: type, tags: ['Webhooks'], operationId: nameOf(type), summary, security: [] },
    parameters: Object.keys(HEADERS).map((name) => ref('parameters', name)),
    request: { body: { required: true, content: { 'application/json': { schema, example: shown } } } },
    responses: {
      '2XX': ref('responses', 'WebhookTaken'),
      410: ref('responses', 'WebhookGone'),
      default: ref('responses', 'WebhookNotTaken'),
    },
  }
}

/** `onTrendDetected` */
const nameOf = (type: string): string => `on${pascalCase(type)}`
