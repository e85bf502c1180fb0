import { HOUR_MS } from '../../domain/days.ts'
import { z } from '@hono/zod-openapi'
import { SHARED } from '../../domain/intake/articles.ts'
import { intake, intakeByMinute } from '../../views/articles/queries.ts'
import { refusedSubmissions } from '../../views/jobs/queries.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { timestamp } from '../http/parameters.ts'
import { consumerLags, type ConsumerLag } from './standing.ts'
import { defineRoute, type Route } from '../http/route.ts'

const MINUTES = 60
/** Minimum time between two queries of the log. */
const CACHE_MS = 5_000

const count = z.int().min(0)

const PipelineReader = z
  .object({
    name: z.string().describe('Name of a stage, view or effect, as in `story lag`.'),
    state: z.enum(['up_to_date', 'behind']),
    waiting: count
      .nullable()
      .describe('Records not yet read, over all namespaces. `null` for keys of a private namespace.'),
  })
  .openapi('PipelineReader')

const Pipeline = z
  .object({
    measured_at: timestamp,
    articles: z
      .object({
        total: count,
        last_hour: count.describe(
          'By the time they were appended to the log. `last_24h` and `per_minute` use the same time.',
        ),
        last_24h: count,
        per_minute: z
          .array(z.object({ time: timestamp, articles: count }).openapi('PipelineMinute'))
          .describe(`The last ${MINUTES} minutes, oldest first, including the current one.`),
        first_published: timestamp.nullable().describe('Event time of the first article. `null` if there is none.'),
        last_published: timestamp.nullable(),
      })
      .openapi('PipelineArticles'),
    refused: z
      .object({
        submissions: count,
        reasons: z.array(z.object({ reason: z.string(), submissions: count }).openapi('RefusedSubmissions')),
      })
      .openapi('PipelineRefused', { description: 'Submissions in the dead letters that have not been retried.' }),
    readers: z.array(PipelineReader).describe('Consumers of the log, in processing order.'),
  })
  .openapi('Pipeline')

/**
 * The state of the pipeline: incoming articles, rejections and consumer lag. Articles and rejections are those of the
 * namespace.
 */
export function pipelineRoutes(dependencies: Dependencies): readonly Route[] {
  const { store } = dependencies
  const consumerLag = cached(dependencies)
  return [
    defineRoute(
      {
        ...{ method: 'get', tag: 'Quality', tier: 'starter', cost: 'request', status: 200 },
        path: '/v1/pipeline',
        operationId: 'getPipeline',
        summary: 'Retrieve pipeline status',
        description:
          'Returns the articles received and rejected in your namespace, and the lag of each consumer of the ' +
          `service (\`readers\`), measured at most every ${CACHE_MS / 1_000} s.`,
        untagged: true,
        request: {},
        answer: Pipeline,
      },
      async (_, { caller: { namespace }, now }) => {
        const from = firstMinute(now, MINUTES)
        const [[all], minutes, reasons, readers] = await Promise.all([
          intake(store)({ namespace, hour: now - HOUR_MS, day: now - 24 * HOUR_MS }),
          intakeByMinute(store)({ namespace, from }),
          refusedSubmissions(store)({ namespace }),
          consumerLag(now),
        ])
        if (all === undefined) throw new Error('The query returned no counts')
        return {
          measured_at: new Date(now).toISOString(),
          articles: { ...all, per_minute: everyMinute(minutes, from, MINUTES) },
          refused: { submissions: reasons.reduce((sum, one) => sum + one.submissions, 0), reasons },
          readers: readers.map((one) => shown(one, namespace)),
        }
      },
    ),
  ]
}

/** Hides the traffic of other namespaces from a private namespace. */
const shown = ({ name, waiting }: ConsumerLag, namespace: string) => ({
  name,
  state: waiting === 0 ? ('up_to_date' as const) : ('behind' as const),
  waiting: namespace === SHARED ? waiting : null,
})

function cached({ log, readers = [] }: Dependencies): (now: number) => Promise<readonly ConsumerLag[]> {
  let last: { readonly at: number; readonly found: Promise<readonly ConsumerLag[]> } | null = null
  return async (now) => {
    if (last === null || now - last.at >= CACHE_MS) {
      last = { at: now, found: consumerLags(log, readers) }
      last.found.catch(() => (last = null)) // retry immediately if the log was unavailable
    }
    return last.found
  }
}

const MINUTE_MS = 60_000

interface MinuteCount {
  /** ISO 8601, start of the minute. */
  readonly time: string
  readonly articles: number
}

/** The start of the first of the last `minutes` whole minutes, in milliseconds since 1970. */
export const firstMinute = (now: number, minutes: number): number =>
  Math.floor(now / MINUTE_MS) * MINUTE_MS - (minutes - 1) * MINUTE_MS

/** Every minute from `from`, including those without articles. */
export function everyMinute(counted: readonly MinuteCount[], from: number, minutes: number): MinuteCount[] {
  const known = new Map(counted.map(({ time, articles }) => [Date.parse(time), articles]))
  return Array.from({ length: minutes }, (_, i) => {
    const at = from + i * MINUTE_MS
    return { time: new Date(at).toISOString(), articles: known.get(at) ?? 0 }
  })
}
