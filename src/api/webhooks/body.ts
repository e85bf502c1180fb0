import { z } from '@hono/zod-openapi'
import { parsedUrl } from '../../events/canonical-url.ts'
import { CHANGE_TYPES } from '../../events/changes.ts'
import { queryProblem } from '../../domain/monitors/query-problem.ts'
import { NOT_READABLE, READABLE, share, timestamp } from '../http/parameters.ts'
import type { WebhookChanged } from '../../events/webhooks.ts'

const MAX_URL_CHARACTERS = 2_048
const MAX_DESCRIPTION_CHARACTERS = 500
const MAX_ENTITIES = 100
const MAX_MONITORS = 100
const MAX_NAME_CHARACTERS = 200
const MAX_QUERY_CHARACTERS = 500
const MAX_ORIGINS = 1_000
const WEEK_SECONDS = 604_800
const DAY_SECONDS = 86_400

const isUnique = (given: readonly string[]): boolean => new Set(given).size === given.length

const type = z.enum(CHANGE_TYPES)

/** Without the `u` flag, which JSON Schema implies. */
const pattern = READABLE.source

const url = z
  .string()
  .trim()
  .min(1)
  .max(MAX_URL_CHARACTERS)
  .regex(READABLE, NOT_READABLE)
  .refine((text) => parsedUrl(text) !== null, 'expected an address: https://host/path')
  .openapi({
    format: 'uri',
    pattern,
    description:
      `Delivery URL: https and a public address, at most ${MAX_URL_CHARACTERS} characters. Checked now and ` +
      'at each delivery; redirects are not followed.',
    example: 'https://example.com/hooks/stories',
  })

const events = z
  .array(type)
  .min(1)
  .max(CHANGE_TYPES.length)
  .refine(isUnique, 'each type once')
  .openapi({
    uniqueItems: true,
    description: 'Change types, without duplicates. `story.enriched` requires a professional key.',
    example: ['trend.detected', 'entity.spike'],
  })

/** Entities are compared by canonical names in lower case. */
const name = z
  .string()
  .trim()
  .normalize('NFC')
  .toLowerCase()
  .min(1)
  .max(MAX_NAME_CHARACTERS)
  .regex(READABLE, NOT_READABLE)
  .openapi({ pattern })

/** Strict: an ignored typo in a filter would deliver every change. */
const Filters = z
  .strictObject({
    entity_ids: z
      .array(z.string().regex(/^ent_[a-z2-7]{16}$/, 'expected an entity id: ent_ and 16 characters'))
      .max(MAX_ENTITIES)
      .refine(isUnique, 'each entity once')
      .optional()
      .openapi({
        uniqueItems: true,
        description: `Only changes that involve one of these entities (at most ${MAX_ENTITIES}). Default: all.`,
        example: ['ent_k3v7qhd2mzxw5ayp'],
      }),
    min_velocity: z
      .number()
      .min(0)
      .max(1_000_000)
      .nullish()
      .openapi({
        description:
          'Only trends, spikes and shifts of at least this velocity, a multiple of the baseline. Default: all. ' +
          'Does not apply to changes without a velocity.',
        example: 5,
      }),
    min_assignment_confidence: share.nullish().openapi({
      description:
        'Only changes of stories in which every article has at least this `assignment_confidence`. Default: ' +
        'all. Does not apply to changes without a story.',
      example: 0.8,
    }),
    membership: z
      .enum(['settled'])
      .nullish()
      .openapi({
        description:
          'Only changes of stories whose membership has settled. Default: all. `cluster.settled` lists all ' +
          'articles of a story, so that no earlier change is missed. Does not apply to changes without a story.',
        example: 'settled',
      }),
    query: z
      .string()
      .trim()
      .max(MAX_QUERY_CHARACTERS)
      .regex(READABLE, NOT_READABLE)
      .superRefine((text, context) => {
        const message = queryProblem(text)
        if (message !== null) context.addIssue({ code: 'custom', message })
      })
      .nullish()
      .openapi({
        pattern,
        description:
          'Only changes whose title has all these words and "quoted phrases", and none that follows a `-`: whole ' +
          'words, in any case. The title is that of the article, or of the newest article of the story; changes ' +
          `without one are not sent. At most ${MAX_QUERY_CHARACTERS} characters. Default: all.`,
        example: '"harbour bridge" -opinion',
      }),
    entity_names: z
      .array(name)
      .max(MAX_ENTITIES)
      .refine(isUnique, 'each name once')
      .optional()
      .openapi({
        uniqueItems: true,
        description:
          `Only changes that involve an entity with one of these canonical names (at most ${MAX_ENTITIES}), in any ` +
          'case. Default: all.',
        example: ['ada quill'],
      }),
    min_origins: z
      .int()
      .min(1)
      .max(MAX_ORIGINS)
      .nullish()
      .openapi({
        description:
          'Only changes of stories with at least this many independent sources (`origin_count`). Default: all. Does ' +
          'not apply to changes without a story.',
        example: 3,
      }),
    monitor_ids: z
      .array(z.string().regex(/^mon_[a-z2-7]{16}$/, 'expected a monitor id: mon_ and 16 characters'))
      .max(MAX_MONITORS)
      .refine(isUnique, 'each monitor once')
      .optional()
      .openapi({
        uniqueItems: true,
        description: `Only matches of these monitors (at most ${MAX_MONITORS}). Default: all. Does not apply to other changes.`,
        example: ['mon_q2x4mvhb7k3zt5wa'],
      }),
  })
  .openapi('WebhookFilters')

const description = z.string().trim().max(MAX_DESCRIPTION_CHARACTERS).regex(READABLE, NOT_READABLE).nullable().openapi({
  pattern,
  description: 'Free text in one line, visible to the keys that can see the endpoint.',
  example: 'Newsroom alerts',
})

/** Strict, like all of these bodies: an ignored typo in `filters` would deliver every change. */
export const NewWebhook = z
  .strictObject({ url, events, filters: Filters.optional(), description: description.optional() })
  .openapi('NewWebhook')

export type NewWebhook = z.output<typeof NewWebhook>

export const status = z.enum(['active', 'disabled'])

export const WebhookPatch = z
  .strictObject({
    url: url.optional(),
    events: events.optional(),
    filters: Filters.optional().describe('Replaces all filters; `{}` removes them.'),
    description: description.optional(),
    status: status
      .optional()
      .describe('`disabled` stops deliveries and cancels pending ones. `active` resumes deliveries from now on.'),
  })
  .openapi('WebhookPatch', { example: { status: 'active' } })

export type WebhookPatch = z.output<typeof WebhookPatch>

export const Rotation = z
  .strictObject({
    overlap_seconds: z.int().min(0).max(WEEK_SECONDS).default(DAY_SECONDS).openapi({
      description: 'Seconds during which earlier secrets keep signing beside the new one; `0` for none.',
      example: DAY_SECONDS,
    }),
  })
  .openapi('WebhookRotation')

const reason = z
  .string()
  .nullable()
  .openapi({
    description:
      '`gone`: the endpoint responded 410; `failing`: a delivery was given up and no other succeeded; ' +
      '`by_owner`: disabled by you; `by_operator`: disabled by the operator. `null` while active.',
    example: null,
  })

/** Not the same as `WebhookFilters`, which is the request form and may omit fields. */
const ActiveFilters = z
  .object({
    entity_ids: z.array(z.string()).openapi({ description: 'Empty for all.', example: ['ent_k3v7qhd2mzxw5ayp'] }),
    min_velocity: z.number().nullable().openapi({ description: '`null` for all.', example: 5 }),
    min_assignment_confidence: z
      .number()
      .nullable()
      .optional()
      .openapi({ description: '`null` for all.', example: null }),
    membership: z.enum(['settled']).nullable().optional().openapi({ description: '`null` for all.', example: null }),
    query: z.string().optional().openapi({ description: 'Empty for all.', example: '"harbour bridge" -opinion' }),
    entity_names: z
      .array(z.string())
      .optional()
      .openapi({ description: 'Lower case. Empty for all.', example: ['ada quill'] }),
    min_origins: z.int().nullable().optional().openapi({ description: '`null` for all.', example: 3 }),
    monitor_ids: z
      .array(z.string())
      .optional()
      .openapi({ description: 'Empty for all.', example: ['mon_q2x4mvhb7k3zt5wa'] }),
  })
  .openapi('ActiveWebhookFilters')

const fields = {
  id: z.string().openapi({ example: 'whk_q2x4mvhb7k3zt5wa' }),
  url: z.string().openapi({ example: 'https://example.com/hooks/stories' }),
  events: z.array(type).openapi({ example: ['trend.detected', 'entity.spike'] }),
  filters: ActiveFilters,
  description: z.string().nullable().openapi({ example: 'Newsroom alerts' }),
  status: status.openapi({ example: 'active' }),
  disabled_reason: reason,
  created_at: timestamp,
  updated_at: timestamp,
}

export const Webhook = z.object(fields).openapi('Webhook')

export const WebhookWithSecret = z
  .object({
    ...fields,
    secret: z.string().openapi({
      description: 'Signs deliveries to the endpoint. Returned only in this response; store it.',
      example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    }),
  })
  .openapi('WebhookWithSecret')

export const CreatedWebhook = z
  .object({
    ...fields,
    secret: z
      .string()
      .optional()
      .openapi({
        description:
          'Signs deliveries to the endpoint. Returned only in this response; store it. Absent only if the ' +
          'request is retried with its `Idempotency-Key` after the secret was rotated.',
        example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
      }),
  })
  .openapi('CreatedWebhook')

export const Webhooks = z.object({ webhooks: z.array(Webhook) }).openapi('Webhooks')

export const webhookParams = z.object({
  id: z.string().min(1).max(100).openapi({ description: 'Id of the endpoint.', example: 'whk_q2x4mvhb7k3zt5wa' }),
})

/** The filters of an endpoint with all fields set. */
export const filtersOf = (filters: GivenFilters) => ({ ...changeFilters(filters), ...storyFilters(filters) })

type GivenFilters = NonNullable<NewWebhook['filters']>

const changeFilters = (filters: GivenFilters) => ({
  query: filters.query ?? '',
  entity_ids: filters.entity_ids ?? [],
  entity_names: filters.entity_names ?? [],
  monitor_ids: filters.monitor_ids ?? [],
  min_velocity: filters.min_velocity ?? null,
})

const storyFilters = (filters: GivenFilters) => ({
  min_assignment_confidence: filters.min_assignment_confidence ?? null,
  membership: filters.membership ?? null,
  min_origins: filters.min_origins ?? null,
})

export const descriptionOf = (description: string | null | undefined): string | null =>
  description === undefined || description === '' ? null : description

/** Applies a patch to an endpoint. `now` is in milliseconds since 1970. */
export const patched = (endpoint: WebhookChanged, patch: WebhookPatch, now: number): WebhookChanged => ({
  ...endpoint,
  url: patch.url ?? endpoint.url,
  events: patch.events ?? endpoint.events,
  ...(patch.filters === undefined ? {} : filtersOf(patch.filters)),
  ...(patch.description === undefined ? {} : { description: descriptionOf(patch.description) }),
  ...statusAfter(endpoint, patch.status),
  updated_at: now,
})

type EndpointStatus = Pick<WebhookChanged, 'status' | 'disabled_reason'>

/** Disabling an endpoint that is already disabled keeps the original reason. */
function statusAfter({ status, disabled_reason }: EndpointStatus, newStatus: WebhookPatch['status']): EndpointStatus {
  if (newStatus === undefined || newStatus === status) return { status, disabled_reason }
  return { status: newStatus, disabled_reason: newStatus === 'active' ? null : 'by_owner' }
}

/**
 * The URL that has to be checked for a patch: a new one, or that of an endpoint that the patch activates; otherwise
 * `null`.
 */
export const urlToCheck = ({ status, url }: WebhookChanged, patch: WebhookPatch): string | null =>
  patch.url ?? (status === 'disabled' && patch.status === 'active' ? url : null)
