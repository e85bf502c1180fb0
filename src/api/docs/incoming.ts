import { z, type OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import { CHANGES, pascalCase } from '../changes/change-schema.ts'
import { CHANGE_TYPES } from '../../events/changes.ts'
import { CHANGE_EXAMPLES } from '../http/openapi/example.ts'
import { timestamp } from '../http/parameters.ts'

type Registry = OpenAPIHono['openAPIRegistry']

const HEADERS = {
  'webhook-id': {
    description:
      'The `id` of the change in the feed, the same at every attempt and redelivery. Ignore an id that was ' +
      'already processed.',
    schema: { type: 'string', example: 'evt_hd7mzq3x5w2aypk4vtn6jrsb7c' },
  },
  'webhook-timestamp': {
    description:
      'Time of this attempt, in seconds since 1970. Reject deliveries that differ by more than five minutes.',
    schema: { type: 'string', pattern: '^[0-9]+$', example: '1795334591' },
  },
  'webhook-signature': {
    description:
      'Signature as defined by Standard Webhooks: `v1,` followed by the base64 HMAC-SHA256 of ' +
      '`{webhook-id}.{webhook-timestamp}.{body}` (the unmodified body), keyed with the decoded secret ' +
      'after `whsec_`. During a rotation there is one signature per secret, separated by spaces; accept ' +
      'the delivery if any of them matches.',
    schema: { type: 'string', example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=' },
  },
} as const

const RESPONSES = {
  WebhookTaken: 'Any 2xx within 15 seconds: delivered.',
  WebhookGone: 'The endpoint is disabled and receives no further deliveries.',
  WebhookNotTaken:
    'Any other response, a redirect or no response: retried ten times over three days, no earlier than ' +
    '`Retry-After`.',
} as const

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** Adds one `webhooks` entry for each type of change. They share headers and responses. */
export function registerWebhooks(registry: Registry): void {
  for (const [name, { description, schema }] of Object.entries(HEADERS)) {
    registry.registerComponent('parameters', name, { name, in: 'header', required: true, description, schema })
  }
  for (const [name, description] of Object.entries(RESPONSES)) {
    registry.registerComponent('responses', name, { description })
  }
  for (const type of CHANGE_TYPES) {
    registry.registerWebhook(webhookOperation({ ...CHANGES[type], type, example: CHANGE_EXAMPLES[type] }))
  }
  registry.registerWebhook(webhookOperation(TEST))
}

const TEST = {
  type: 'webhook.test',
  summary: 'Test delivery requested by `POST /v1/webhooks/{id}/test`, regardless of filters',
  data: z.object({ webhook_id: z.string() }).openapi('TestPayload'),
  example: { webhook_id: 'whk_q2x4mvhb7k3zt5wa' },
} as const

interface WebhookDefinition {
  readonly type: string
  readonly summary: string
  readonly data: z.ZodType
  readonly example: unknown
}

function webhookOperation({ type, summary, data, example }: WebhookDefinition): RouteConfig {
  const schema = z.object({ type: z.literal(type), timestamp, data })
  const shown = { type, timestamp: '2026-11-22T08:03:11.000Z', data: example }
  return {
    ...{ method: 'post', path: type, tags: ['Webhooks'], operationId: `on${pascalCase(type)}`, summary, security: [] },
    parameters: Object.keys(HEADERS).map((name) => ref('parameters', name)),
    request: { body: { required: true, content: { 'application/json': { schema, example: shown } } } },
    responses: {
      '2XX': ref('responses', 'WebhookTaken'),
      410: ref('responses', 'WebhookGone'),
      default: ref('responses', 'WebhookNotTaken'),
    },
  }
}
