import { z } from '@hono/zod-openapi'
import { liveQuality } from '../../views/clusters/live-quality.ts'
import { MEASURED_LANGUAGES } from '../../domain/quality/measured-languages.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { asOf, orNow, share, timestamp } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'

const QualityFigure = z
  .object({
    name: z.string().openapi({ description: 'Name of the labelled set.', example: 'stories/gvc-val.jsonl.gz' }),
    measure: z.string().openapi({ example: 'b_cubed_f1' }),
    value: z.number(),
    n: z.int().describe('Number of items measured.'),
  })
  .openapi('QualityFigure')

const LiveQuality = z
  .object({
    window_days: z.int().describe('Days before `as_of` that the figures cover, except `stories_last_24h`.'),
    stories: z.int().describe('Stories with an article in the window.'),
    stories_last_24h: z.int(),
    articles_per_day: z.number(),
    multi_source_share: share
      .nullable()
      .describe('Share of stories with two or more outlets. `null` if there are no stories.'),
    single_origin_share: share
      .nullable()
      .describe(
        'Share of the stories with two or more articles whose articles all come from one independent source. ' +
          '`null` if there are no such stories.',
      ),
    id_churn_per_day: z.number().describe('Articles per day that the recluster moved to another story.'),
  })
  .openapi('LiveQuality')

const Quality = z
  .object({
    measured_at: timestamp,
    code_version: z.string().describe('Version of the running service.'),
    models: z.array(z.string()).describe('Names and hashes of the measured models.'),
    versions: z.record(z.string(), z.string()).openapi({
      description:
        'Versions of the rules, weights and tables currently used for decisions, as recorded with each decision.',
    }),
    sets: z.array(QualityFigure),
    measured_languages: z
      .object({ entities: z.array(z.string()), sentiment: z.array(z.string()), stories: z.array(z.string()) })
      .describe(
        'Languages (ISO 639-1) in which each task was measured. In other languages the service answers by transfer, ' +
          'with unmeasured quality.',
      ),
    live: LiveQuality,
  })
  .openapi('Quality')

export const qualityRoutes = ({ store, quality, version }: Dependencies): readonly Route[] => [
  defineRoute(
    {
      ...{ method: 'get', tag: 'Quality', tier: 'starter', cost: 'request', status: 200 },
      path: '/v1/quality',
      operationId: 'getQuality',
      summary: 'Retrieve quality figures',
      description:
        '`sets` are the figures last measured on labelled sets (at `measured_at`) and published with the ' +
        'code. `live` is computed now over the stories visible to the key.',
      request: { query: z.object({ as_of: asOf() }) },
      answer: Quality,
    },
    async ({ query: { as_of } }, { caller: { namespace }, now }) => ({
      ...quality,
      measured_at: new Date(quality.measured_at).toISOString(),
      code_version: version,
      measured_languages: MEASURED_LANGUAGES,
      live: await liveQuality(store, { namespace, as_of: orNow(as_of, now) }),
    }),
  ),
]
