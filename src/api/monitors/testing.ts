import { z } from '@hono/zod-openapi'
import { DAY_MS } from '../../domain/days.ts'
import { channelTestMessage } from '../../domain/monitors/messages.ts'
import type { MatchedStory } from '../../events/monitors.ts'
import { webhooksDelivered } from '../../events/webhooks.ts'
import { monitorPreview } from '../../views/monitors/preview.ts'
import { MatchedStoryPayload } from '../changes/change-schema.ts'
import { append } from '../http/append.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { isProblem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { monitorParams } from './body.ts'
import { Conditions } from './conditions.ts'
import type { MonitorSettings } from './monitor-settings.ts'
import { plannedMessage } from './planned-message.ts'

const keyed = { tag: 'Monitors', tier: 'starter' } as const

const MOST_SHOWN = 50
const MOST_DAYS = 90

const MonitorTest = z
  .strictObject({
    conditions: Conditions,
    days: z.int().min(1).max(MOST_DAYS).default(30).openapi({ description: 'Length of the window, ending now.' }),
  })
  .openapi('MonitorTest')

const MonitorTestResult = z
  .object({
    stories: z
      .array(MatchedStoryPayload)
      .describe(`Stories that meet the conditions now, newest matching article first, at most ${MOST_SHOWN}.`),
    total: z.int().describe('Number of stories that meet the conditions now.'),
    truncated: z.boolean().describe('Whether only the 2,000 stories with the newest matching articles were compared.'),
    days: z
      .array(
        z
          .object({
            day: z.iso.date().openapi({ example: '2026-11-22' }),
            stories: z.int().openapi({ example: 4 }),
          })
          .openapi('MonitorTestDay'),
      )
      .describe('For each UTC day of the window, the stories whose newest matching article is of that day.'),
  })
  .openapi('MonitorTestResult')

const MonitorMessages = z
  .object({
    deliveries: z.array(
      z
        .object({
          channel_id: z.string().openapi({ example: 'chn_q2x4mvhb7k3zt5wa' }),
          delivery_id: z.string().openapi({ example: 'dlv_3kq7vhd2mzxw5aypc4tn6jrs7b' }),
        })
        .openapi('MonitorMessage'),
    ),
  })
  .openapi('MonitorMessages')

/** The routes that try out conditions and channels. */
export const testRoutes = (dependencies: Dependencies, known: MonitorSettings): readonly Route[] => [
  preview(dependencies),
  send(dependencies, known),
]

const preview = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      cost: 'request',
      method: 'post',
      path: '/v1/monitors/test',
      status: 200,
      operationId: 'testMonitorConditions',
      summary: 'Preview the matches of conditions',
      description:
        'Returns the stories that would match a monitor with these conditions, from the articles of the last days. ' +
        'Creates nothing.',
      scope: 'read',
      problems: [],
      request: { body: MonitorTest },
      answer: MonitorTestResult,
    },
    async ({ body: { conditions, days } }, { caller: { namespace }, now }) => {
      const from = now - days * DAY_MS
      const { stories, truncated } = await monitorPreview(store, { namespace, conditions, from, as_of: now })
      return {
        stories: stories.slice(0, MOST_SHOWN).map(shownStory),
        total: stories.length,
        truncated,
        days: perDay(stories, { from, now }),
      }
    },
  )

const send = (dependencies: Dependencies, known: MonitorSettings): Route =>
  defineRoute(
    {
      ...keyed,
      cost: 'request',
      method: 'post',
      path: '/v1/monitors/{monitor_id}/test',
      status: 202,
      operationId: 'testMonitorChannels',
      summary: 'Send a test message to the channels',
      description: 'Sends a message to each active channel of the monitor, also if the monitor is paused.',
      problems: ['monitor_not_found'],
      request: { params: monitorParams },
      answer: MonitorMessages,
    },
    async ({ params: { monitor_id } }, { caller, now }) => {
      const monitor = await known.find(monitor_id, caller)
      if (isProblem(monitor)) return monitor
      const { namespace, name, channels } = monitor
      const messages = channels
        .filter(({ status }) => status === 'active')
        .map(({ channel_id, type }) =>
          plannedMessage({ namespace, channel_id, type: 'channel.test', payload: channelTestMessage(type, name), now }),
        )
      await append(webhooksDelivered, messages, dependencies)
      return { deliveries: messages.map(({ webhook_id: channel_id, delivery_id }) => ({ channel_id, delivery_id })) }
    },
  )

const shownStory = ({ matched_at, ...story }: MatchedStory) => ({
  ...story,
  article_ids: [...story.article_ids],
  matched_at: new Date(matched_at).toISOString(),
})

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

function perDay(
  stories: readonly MatchedStory[],
  { from, now }: { readonly from: number; readonly now: number },
): { day: string; stories: number }[] {
  const counts = new Map<string, number>()
  for (let time = from; time < now; time += DAY_MS) counts.set(dayOf(time), 0)
  counts.set(dayOf(now), 0)
  for (const { matched_at } of stories) counts.set(dayOf(matched_at), (counts.get(dayOf(matched_at)) ?? 0) + 1)
  return [...counts].map(([day, count]) => ({ day, stories: count }))
}
