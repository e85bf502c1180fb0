import { z } from '@hono/zod-openapi'
import type { MonitorChanged } from '../../events/monitors.ts'
import { nextCursor, NOT_READABLE, orNull, READABLE, timestamp } from '../http/parameters.ts'
import type { AnswerOf } from '../http/route.ts'
import { Channel, NewChannel, shownChannel } from './channel-body.ts'
import { ActiveConditions, Conditions, isSameConditions } from './conditions.ts'

const MAX_NAME_CHARACTERS = 100
export const MOST_CHANNELS = 5
const DEFAULT_PER_DAY = 50

const name = z.string().trim().min(1).max(MAX_NAME_CHARACTERS).regex(READABLE, NOT_READABLE).openapi({
  pattern: READABLE.source,
  description: 'Shown in messages and feeds, in one line.',
  example: 'Interest rates',
})

const time = () => z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'expected HH:MM, from 00:00 to 23:59')

const QuietHours = z
  .strictObject({ start: time().openapi({ example: '22:00' }), end: time().openapi({ example: '07:00' }) })
  .refine(({ start, end }) => start !== end, { path: ['end'], message: 'must differ from start' })
  .openapi('MonitorQuietHours', {
    description: 'A daily span of local time, which may span midnight: matches in it are sent when it ends.',
  })

const digest_at = time().nullable().openapi({
  description: 'Local time at which the matches of a day are sent together. `null`: each is sent at once.',
  example: null,
})

const time_zone = z.string().max(60).refine(isTimeZone, 'expected an IANA time zone').openapi({
  description: 'IANA name of the time zone of `quiet_hours` and `digest_at`.',
  example: 'Europe/Berlin',
})

function isTimeZone(given: string): boolean {
  if (!/^[A-Za-z]/.test(given)) return false // an offset: it does not follow summer time
  try {
    return new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const max_per_day = z.int().min(1).max(1_000).openapi({
  description: 'Messages per UTC day to each channel; further matches are sent together on the next day.',
  example: DEFAULT_PER_DAY,
})

const quiet_hours = orNull(QuietHours)

/** Strict, like all of these bodies: an ignored typo in a condition would match every story. */
export const NewMonitor = z
  .strictObject({
    name,
    conditions: Conditions,
    quiet_hours: quiet_hours.default(null),
    digest_at: digest_at.default(null),
    time_zone: time_zone.default('UTC'),
    max_per_day: max_per_day.default(DEFAULT_PER_DAY),
    channels: z
      .array(NewChannel)
      .max(MOST_CHANNELS)
      .default([])
      .openapi({
        description: `Where matches are sent, besides the change feed and webhooks; at most ${MOST_CHANNELS}.`,
      }),
  })
  .openapi('NewMonitor')

export type NewMonitor = z.output<typeof NewMonitor>

export const MonitorPatch = z
  .strictObject({
    name: name.optional(),
    conditions: Conditions.optional(),
    quiet_hours: quiet_hours.optional(),
    digest_at: digest_at.optional(),
    time_zone: time_zone.optional(),
    max_per_day: max_per_day.optional(),
    status: z.enum(['active', 'paused']).optional().describe('`paused` stops matching; `active` resumes it.'),
  })
  .openapi('MonitorPatch', { example: { status: 'paused' } })

export type MonitorPatch = z.output<typeof MonitorPatch>

export const Monitor = z
  .object({
    id: z.string().openapi({ example: 'mon_q2x4mvhb7k3zt5wa' }),
    name: z.string().openapi({ example: 'Interest rates' }),
    conditions: ActiveConditions,
    conditions_version: z.int().openapi({
      description: 'Raised whenever the conditions change: a story may then match again.',
      example: 1,
    }),
    quiet_hours: orNull(z.object({ start: z.string(), end: z.string() }).openapi('ActiveMonitorQuietHours')),
    digest_at: z.string().nullable(),
    time_zone: z.string().openapi({ example: 'Europe/Berlin' }),
    max_per_day: z.int(),
    channels: z.array(Channel),
    has_feed: z.boolean().describe('Whether it has an Atom feed.'),
    status: z.enum(['active', 'paused']),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .openapi('Monitor')

export const Monitors = z.object({ monitors: z.array(Monitor), next_cursor: nextCursor }).openapi('Monitors')

export const monitorParams = z.object({
  monitor_id: z
    .string()
    .min(1)
    .max(100)
    .openapi({ description: 'Id of the monitor.', example: 'mon_q2x4mvhb7k3zt5wa' }),
})

export const channelParams = monitorParams.extend({
  channel_id: z
    .string()
    .min(1)
    .max(100)
    .openapi({ description: 'Id of the channel.', example: 'chn_q2x4mvhb7k3zt5wa' }),
})

/** A monitor without its owner, its token and the targets of its channels. */
export const shownMonitor = (monitor: MonitorChanged): AnswerOf<typeof Monitor> => ({
  id: monitor.monitor_id,
  name: monitor.name,
  conditions: monitor.conditions,
  conditions_version: monitor.conditions_version,
  quiet_hours: monitor.quiet_hours,
  digest_at: monitor.digest_at,
  time_zone: monitor.time_zone,
  max_per_day: monitor.max_per_day,
  channels: monitor.channels.map(shownChannel),
  has_feed: monitor.feed_token_hash !== null,
  status: monitor.status === 'paused' ? 'paused' : 'active',
  created_at: new Date(monitor.created_at).toISOString(),
  updated_at: new Date(monitor.updated_at).toISOString(),
})

/** The monitor after a change. Only other conditions raise their version. */
export function patched(monitor: MonitorChanged, patch: MonitorPatch, now: number): MonitorChanged {
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  const isChanged = patch.conditions !== undefined && !isSameConditions(patch.conditions, monitor.conditions)
  return {
    ...monitor,
    ...given,
    conditions_version: monitor.conditions_version + (isChanged ? 1 : 0),
    updated_at: now,
  }
}
