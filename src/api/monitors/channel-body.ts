import { z } from '@hono/zod-openapi'
import { parsedUrl } from '../../events/canonical-url.ts'
import type { MonitorChannel } from '../../events/monitors.ts'
import { NOT_READABLE, READABLE, timestamp } from '../http/parameters.ts'
import type { AnswerOf } from '../http/route.ts'

const MAX_URL_CHARACTERS = 2_048
const MAX_ADDRESS_CHARACTERS = 254

const url = (description: string, example: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(MAX_URL_CHARACTERS)
    .regex(READABLE, NOT_READABLE)
    .refine((text) => parsedUrl(text) !== null, 'expected an address: https://host/path')
    .openapi({
      format: 'uri',
      pattern: READABLE.source,
      description: `${description} https and a public address; stored encrypted and never returned.`,
      example,
    })

export const NewChannel = z
  .discriminatedUnion('type', [
    z
      .strictObject({
        type: z.literal('slack'),
        url: url('Incoming webhook of Slack.', 'https://hooks.slack.com/services/T0/B0/secret'),
      })
      .openapi('NewSlackChannel'),
    z
      .strictObject({
        type: z.literal('teams'),
        url: url('Workflow of Microsoft Teams that receives webhook requests.', 'https://example.com/workflows/secret'),
      })
      .openapi('NewTeamsChannel'),
    z
      .strictObject({
        type: z.literal('email'),
        address: z.string().trim().max(MAX_ADDRESS_CHARACTERS).pipe(z.email()).openapi({
          format: 'email',
          description: 'Receives a message with a link; matches are sent once the address is confirmed there.',
          example: 'desk@example.com',
        }),
      })
      .openapi('NewEmailChannel'),
  ])
  .openapi('NewMonitorChannel')

export type NewChannel = z.output<typeof NewChannel>

export const ChannelPatch = z
  .strictObject({
    status: z.literal('active').openapi({ description: 'Enables a disabled channel again.', example: 'active' }),
  })
  .openapi('MonitorChannelPatch')

export const Channel = z
  .object({
    id: z.string().openapi({ example: 'chn_q2x4mvhb7k3zt5wa' }),
    type: z.enum(['slack', 'teams', 'email']),
    hint: z.string().openapi({
      description: 'The host, or the first letter and the domain of an address.',
      example: 'd…@example.com',
    }),
    status: z
      .enum(['active', 'unconfirmed', 'disabled'])
      .openapi({ description: '`unconfirmed`: the e-mail address was not confirmed yet.', example: 'active' }),
    disabled_reason: z
      .string()
      .nullable()
      .openapi({
        description:
          '`gone`: the address no longer exists; `failing`: messages were given up; `unsubscribed`: its reader asked for ' +
          'no more. `null` unless disabled.',
        example: null,
      }),
    created_at: timestamp,
  })
  .openapi('MonitorChannel')

/** A channel without its target. */
export const shownChannel = (channel: MonitorChannel): AnswerOf<typeof Channel> => ({
  id: channel.channel_id,
  type: channel.type,
  hint: channel.hint,
  status: channel.status,
  disabled_reason: channel.disabled_reason,
  created_at: new Date(channel.created_at).toISOString(),
})

export const targetOf = (channel: NewChannel): string => (channel.type === 'email' ? channel.address : channel.url)

/** What is shown of a target. Without the path: everybody who has it can post to the channel. */
export function hintOf(channel: NewChannel): string {
  if (channel.type !== 'email') return new URL(channel.url).host
  const at = channel.address.lastIndexOf('@')
  return `${channel.address.slice(0, 1)}…${channel.address.slice(at)}`
}
