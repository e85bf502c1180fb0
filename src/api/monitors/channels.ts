import { z } from '@hono/zod-openapi'
import type { MonitorChanged, MonitorChannel } from '../../events/monitors.ts'
import { webhooksDelivered } from '../../events/webhooks.ts'
import { append } from '../http/append.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { isProblem, problem, type Problem } from '../http/problem.ts'
import { defineRoute, type CallContext, type Route } from '../http/route.ts'
import { channelParams, monitorParams, MOST_CHANNELS } from './body.ts'
import { Channel, ChannelPatch, NewChannel, shownChannel } from './channel-body.ts'
import { confirmation, type ConfirmationLimit } from './confirmation.ts'
import type { MonitorSettings } from './monitor-settings.ts'
import { channelsProblem, emailProblem, isUnconfirmed, newChannel } from './new-channels.ts'

const keyed = { tag: 'Monitors', tier: 'starter', cost: 'request' } as const

interface ChannelRouteParts {
  readonly dependencies: Dependencies
  readonly known: MonitorSettings
  readonly limit: ConfirmationLimit
}

/** The routes for the channels of a monitor. */
export const channelRoutes = (parts: ChannelRouteParts): readonly Route[] => [add(parts), enable(parts), remove(parts)]

const add = ({ dependencies, known, limit }: ChannelRouteParts): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'post',
      path: '/v1/monitors/{monitor_id}/channels',
      status: 201,
      operationId: 'addMonitorChannel',
      summary: 'Add a channel',
      description:
        'Sends the matches of the monitor to Slack, Microsoft Teams or an e-mail address. An address receives one ' +
        'message with a link first, and matches only after it is confirmed there.',
      problems: ['monitor_not_found', 'url_not_allowed', 'channel_limit_reached', 'email_not_configured'],
      request: { params: monitorParams, body: NewChannel },
      answer: Channel,
    },
    async ({ params: { monitor_id }, body }, { caller, now }) => {
      const found = await known.find(monitor_id, caller)
      if (isProblem(found)) return found
      if (found.channels.length >= MOST_CHANNELS) return tooManyChannels()
      const refused = await channelsProblem([{ channel: body, path: '' }], dependencies)
      if (refused !== null) return refused
      const channel = newChannel(body, now, dependencies)
      const tooMany = limit.spend(caller.owner, isUnconfirmed(channel) ? 1 : 0, now)
      if (tooMany !== null) return tooMany
      const changed = await known.change(monitor_id, caller, (monitor) => withChannel(monitor, channel, now))
      if (isProblem(changed)) return changed
      const added = channelOf(changed, channel.channel_id) ?? tooManyChannels()
      return confirmedIfNeeded(added, { monitor_id, caller, now }, dependencies)
    },
  )

const enable = ({ dependencies, known, limit }: ChannelRouteParts): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'patch',
      path: '/v1/monitors/{monitor_id}/channels/{channel_id}',
      status: 200,
      operationId: 'enableMonitorChannel',
      summary: 'Enable a channel again',
      description:
        'Enables a channel that was disabled. An e-mail address has to be confirmed again: it receives another message ' +
        'with a link, also if it was not confirmed yet, at most one in 24 hours. An address whose reader unsubscribed ' +
        'cannot be enabled.',
      problems: ['monitor_not_found', 'channel_not_found', 'channel_unsubscribed', 'email_not_configured'],
      request: { params: channelParams, body: ChannelPatch },
      answer: Channel,
    },
    async ({ params: { monitor_id, channel_id } }, { caller, now }) => {
      const before = channelIn(await known.find(monitor_id, caller), channel_id)
      if (isProblem(before)) return before
      if (before.status === 'active') return shownChannel(before)
      const refused = before.type === 'email' ? askProblem(before, { caller, now }, { dependencies, limit }) : null
      if (refused !== null) return refused
      const become = (monitor: MonitorChanged) => enabledIn(monitor, before, now)
      const changed = channelIn(await known.change(monitor_id, caller, become), channel_id)
      if (!isProblem(changed) && hasUnsubscribed(changed)) return unsubscribed()
      return confirmedIfNeeded(changed, { monitor_id, caller, now }, dependencies)
    },
  )

/** Why the reader of an address may not be asked for confirmation again; `null`, and one message charged, if they may. */
function askProblem(
  channel: MonitorChannel,
  { caller, now }: Pick<CallContext, 'caller' | 'now'>,
  { dependencies, limit }: Pick<ChannelRouteParts, 'dependencies' | 'limit'>,
): Problem | null {
  if (hasUnsubscribed(channel)) return unsubscribed()
  return dependencies.sendsEmail ? limit.spendAgain(caller.owner, channel, now) : emailProblem('status')
}

const remove = ({ known }: ChannelRouteParts): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'delete',
      path: '/v1/monitors/{monitor_id}/channels/{channel_id}',
      status: 204,
      operationId: 'removeMonitorChannel',
      summary: 'Remove a channel',
      description: 'Messages that are waiting for it are cancelled.',
      problems: ['monitor_not_found', 'channel_not_found'],
      request: { params: channelParams },
      answer: z.null(),
    },
    async ({ params: { monitor_id, channel_id } }, { caller, now }) => {
      const found = channelIn(await known.find(monitor_id, caller), channel_id)
      if (isProblem(found)) return found
      const changed = await known.change(monitor_id, caller, (monitor) => without(monitor, channel_id, now))
      return isProblem(changed) ? changed : null
    },
  )

export const channelOf = (monitor: MonitorChanged, channel_id: string): MonitorChannel | undefined =>
  monitor.channels.find((one) => one.channel_id === channel_id)

function channelIn(monitor: MonitorChanged | Problem, channel_id: string): MonitorChannel | Problem {
  if (isProblem(monitor)) return monitor
  return channelOf(monitor, channel_id) ?? problem('channel_not_found', `Channel not found: ${channel_id}`)
}

/** A monitor that has as many channels as it may is not changed. */
function withChannel(monitor: MonitorChanged, channel: MonitorChannel, now: number): MonitorChanged {
  const isThere = channelOf(monitor, channel.channel_id) !== undefined
  if (isThere || monitor.channels.length >= MOST_CHANNELS) return monitor
  return { ...monitor, channels: [...monitor.channels, channel], updated_at: now }
}

const without = (monitor: MonitorChanged, channel_id: string, now: number): MonitorChanged => ({
  ...monitor,
  channels: monitor.channels.filter((one) => one.channel_id !== channel_id),
  updated_at: now,
})

interface ChannelState extends Pick<MonitorChannel, 'channel_id' | 'status' | 'disabled_reason'> {
  readonly now: number
}

/** The monitor with one of its channels in another state. */
export const withChannelAs = (monitor: MonitorChanged, { now, ...state }: ChannelState): MonitorChanged => ({
  ...monitor,
  channels: monitor.channels.map((one) => (one.channel_id === state.channel_id ? { ...one, ...state } : one)),
  updated_at: now,
})

/** A channel whose reader unsubscribed meanwhile stays disabled. */
function enabledIn(monitor: MonitorChanged, { channel_id, type }: MonitorChannel, now: number): MonitorChanged {
  const current = channelOf(monitor, channel_id)
  if (current !== undefined && hasUnsubscribed(current)) return monitor
  const status = type === 'email' ? 'unconfirmed' : 'active'
  return withChannelAs(monitor, { channel_id, status, disabled_reason: null, now })
}

/** Whether the reader of the address does not want its messages. */
export const hasUnsubscribed = ({ disabled_reason }: MonitorChannel): boolean => disabled_reason === 'unsubscribed'

interface ChangedChannelContext extends Pick<CallContext, 'caller' | 'now'> {
  readonly monitor_id: string
}

/** Sends the message that asks for confirmation, if the channel needs one, and shows the channel. */
async function confirmedIfNeeded(
  channel: MonitorChannel | Problem,
  { monitor_id, caller: { namespace }, now }: ChangedChannelContext,
  dependencies: Dependencies,
) {
  if (isProblem(channel)) return channel
  if (isUnconfirmed(channel)) {
    const message = confirmation({ monitor: { monitor_id, namespace }, channel, now }, dependencies)
    await append(webhooksDelivered, [message], dependencies)
  }
  return shownChannel(channel)
}

const unsubscribed = (): Problem =>
  problem(
    'channel_unsubscribed',
    'The reader of this address has unsubscribed. Remove the channel, and ask the reader before you add the address again.',
  )

const tooManyChannels = (): Problem =>
  problem('channel_limit_reached', `A monitor has at most ${MOST_CHANNELS} channels. Remove one first.`)
