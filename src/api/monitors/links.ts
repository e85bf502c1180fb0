import { z } from '@hono/zod-openapi'
import type { ChannelStatus, MonitorChanged } from '../../events/monitors.ts'
import type { ChannelLinkPurpose } from '../../state/settings/channel-links.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { isProblem } from '../http/problem.ts'
import { defineOpenRoute, type Route } from '../http/route.ts'
import { channelParams } from './body.ts'
import { channelOf, hasUnsubscribed, withChannelAs } from './channels.ts'
import { linkPage } from './link-page.ts'
import type { MonitorSettings } from './monitor-settings.ts'

type LinkPorts = Pick<Dependencies, 'channelLinks'>

const request = { params: channelParams, query: z.object({ token: z.string().max(100).default('') }) }
const shown = { tag: 'Monitors', status: 200, forPeople: true, relayed: true, request, answer: z.unknown() } as const

const pathOf = (purpose: ChannelLinkPurpose): string =>
  `/v1/monitors/{monitor_id}/channels/{channel_id}/${purpose}` as const

const TEXTS = {
  confirm: {
    summary: 'Confirm an e-mail address',
    title: 'Confirm your address',
    text: 'Matches of a news monitor will be sent to your address. Every message has a link to unsubscribe.',
    button: 'Confirm',
  },
  unsubscribe: {
    summary: 'Unsubscribe an e-mail address',
    title: 'Unsubscribe',
    text: 'No more matches of this news monitor will be sent to your address.',
    button: 'Unsubscribe',
  },
} as const satisfies Readonly<Record<ChannelLinkPurpose, object>>

/**
 * The links in e-mails to channels. Opening one shows a page and changes nothing, because mail servers open links to
 * check them; its button, or a one-click unsubscription (RFC 8058), sends a POST. Requests with a wrong token are
 * answered without reading the log.
 */
export const linkRoutes = (ports: LinkPorts, known: MonitorSettings): readonly Route[] => [
  asking('confirm', ports),
  confirm(ports, known),
  asking('unsubscribe', ports),
  unsubscribe(ports, known),
]

const asking = (purpose: ChannelLinkPurpose, { channelLinks }: LinkPorts): Route => {
  const { summary, title, text, button } = TEXTS[purpose]
  return defineOpenRoute({ ...shown, method: 'get', path: pathOf(purpose), summary }, async ({ params, query }) =>
    channelLinks.isToken(query.token, purpose, params) ? linkPage({ title, text, button }) : invalidLink(),
  )
}

const confirm = ({ channelLinks }: LinkPorts, known: MonitorSettings): Route =>
  defineOpenRoute(
    { ...shown, method: 'post', path: pathOf('confirm'), summary: TEXTS.confirm.summary },
    async ({ params, query }, { now }) => {
      if (!channelLinks.isToken(query.token, 'confirm', params)) return invalidLink()
      const { monitor_id, channel_id } = params
      const before = statusIn(await known.linked(monitor_id), channel_id)
      if (before !== 'unconfirmed') return before === 'active' ? confirmed() : invalidLink()
      const changed = await known.changeLinked(monitor_id, (monitor) => confirmedIn(monitor, channel_id, now))
      return !isProblem(changed) && statusIn(changed, channel_id) === 'active' ? confirmed() : invalidLink()
    },
  )

const statusIn = (monitor: MonitorChanged | null, channel_id: string): ChannelStatus | undefined =>
  monitor === null ? undefined : channelOf(monitor, channel_id)?.status

/** A channel that was disabled meanwhile stays disabled. */
const confirmedIn = (monitor: MonitorChanged, channel_id: string, now: number): MonitorChanged =>
  channelOf(monitor, channel_id)?.status === 'unconfirmed'
    ? withChannelAs(monitor, { channel_id, status: 'active', disabled_reason: null, now })
    : monitor

const unsubscribe = ({ channelLinks }: LinkPorts, known: MonitorSettings): Route =>
  defineOpenRoute(
    { ...shown, method: 'post', path: pathOf('unsubscribe'), summary: TEXTS.unsubscribe.summary },
    async ({ params, query }, { now }) => {
      if (!channelLinks.isToken(query.token, 'unsubscribe', params)) return invalidLink()
      const { monitor_id, channel_id } = params
      const found = await known.linked(monitor_id)
      if (found === null || !receivesMessages(found, channel_id)) return unsubscribed()
      await known.changeLinked(monitor_id, (monitor) => unsubscribedIn(monitor, channel_id, now))
      return unsubscribed() // also if the monitor was deleted meanwhile
    },
  )

const receivesMessages = (monitor: MonitorChanged, channel_id: string): boolean => {
  const channel = channelOf(monitor, channel_id)
  return channel !== undefined && !hasUnsubscribed(channel)
}

const unsubscribedIn = (monitor: MonitorChanged, channel_id: string, now: number): MonitorChanged =>
  withChannelAs(monitor, { channel_id, status: 'disabled', disabled_reason: 'unsubscribed', now })

const confirmed = () =>
  linkPage({ title: 'Confirmed', text: 'Matches of the monitor will be sent to your address.', button: null })

const unsubscribed = () =>
  linkPage({ title: 'Unsubscribed', text: 'No more matches will be sent to your address.', button: null })

const invalidLink = () =>
  linkPage({ title: 'Invalid link', text: 'This link is incomplete or no longer valid.', button: null, status: 404 })
