import { z } from '@hono/zod-openapi'
import { liveQuality } from '../../views/clusters/live-quality.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { asOf, orNow, timestamp } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'

const QualityFigure = z
  .object({
    name: z.string().openapi({ description: 'The labelled set.', example: 'stories/gvc-val.jsonl.gz' }),
    measure: z.string().openapi({ example: 'b_cubed_f1' }),
    value: z.number(),
    n: z.int().openapi({ description: 'Things counted.' }),
  })
  .openapi('QualityFigure')

const share = () => z.number().min(0).max(1).nullable()

const LiveQuality = z
  .object({
    window_days: z.int().openapi({ description: 'All but `stories_last_24h` are of so many days before `as_of`.' }),
    stories: z.int().openapi({ description: 'With an article in the window.' }),
    stories_last_24h: z.int(),
    articles_per_day: z.number(),
    multi_source_share: share().openapi({ description: 'Stories of two outlets or more; null: no stories.' }),
    single_origin_share: share().openapi({
      description:
        'Of the stories of two articles or more, those whose articles all go back to one text or house; null: none such.',
    }),
    id_churn_per_day: z
      .number()
      .openapi({ description: 'Articles a day that a rebuild put into another story than they were in.' }),
  })
  .openapi('LiveQuality')

const Quality = z
  .object({
    measured_at: timestamp,
    code_version: z.string().openapi({ description: 'Of the service that answers.' }),
    models: z.array(z.string()).openapi({ description: 'Names and hashes of the models that were measured.' }),
    versions: z.record(z.string(), z.string()).openapi({
      description: 'Rules, weights and tables that stories are decided with now: those of the recorded decisions.',
    }),
    sets: z.array(QualityFigure),
    live: LiveQuality,
  })
  .openapi('Quality')

export const qualityRoutes = ({ store, quality, version }: Dependencies): readonly Route[] => [
  defineRoute(
    {
      ...{ method: 'get', tag: 'Quality', tier: 'starter', cost: 'request', status: 200 },
      path: '/v1/quality',
      operationId: 'getQuality',
      summary: 'How well the service does: measured on labelled sets, and seen in your own stories',
      description:
        '`sets` is what was last measured and published with the code, at `measured_at`; `live` is counted now, over the stories that the key may see.',
      request: { query: z.object({ as_of: asOf() }) },
      answer: Quality,
    },
    async ({ query: { as_of } }, { caller: { namespace }, now }) => ({
      ...{ measured_at: new Date(quality.measured_at).toISOString(), code_version: version },
      models: [...quality.models],
      versions: { ...quality.versions },
      sets: [...quality.sets],
      live: await liveQuality(store, { namespace, as_of: orNow(as_of, now) }),
    }),
  ),
]
