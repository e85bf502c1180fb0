import { CHANNEL_CONFIRMATION } from '../../domain/monitors/messages.ts'
import type { MonitorChannel, MonitorChanged } from '../../events/monitors.ts'
import type { WebhookDelivered } from '../../events/webhooks.ts'
import { channelUrls } from '../../state/settings/channel-urls.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { problem, type Problem } from '../http/problem.ts'
import { plannedMessage } from './planned-message.ts'

type ConfirmationPorts = Pick<Dependencies, 'channelLinks' | 'publicUrl'>

interface UnconfirmedChannel {
  readonly monitor: Pick<MonitorChanged, 'monitor_id' | 'namespace'>
  readonly channel: Pick<MonitorChannel, 'channel_id'>
  readonly now: number
}

/**
 * The planned delivery of the message that asks the reader of an address to confirm it. It contains no text of the
 * caller, so that nobody can send text of their own to strangers.
 */
export function confirmation(
  { monitor, channel, now }: UnconfirmedChannel,
  { channelLinks, publicUrl }: ConfirmationPorts,
): WebhookDelivered {
  const { monitor_id, namespace } = monitor
  const { channel_id } = channel
  const link = channelUrls(publicUrl, channelLinks).link('confirm', { monitor_id, channel_id })
  const payload = JSON.stringify({ subject: SUBJECT, text: textWith(link), html: null, list_unsubscribe: null })
  return plannedMessage({ namespace, channel_id, type: CHANNEL_CONFIRMATION, payload, now })
}

const SUBJECT = 'Confirm your address for news monitor matches'

const textWith = (link: string): string =>
  [
    'Somebody entered this address to receive the matches of a news monitor.',
    `To receive them, open this page and confirm:\n${link}`,
    'If it was not you, ignore this message: no further message will be sent.',
  ].join('\n\n') + '\n'

const PER_DAY = 20
const DAY_MS = 86_400_000

type RepeatedChannel = Pick<MonitorChannel, 'channel_id' | 'created_at'>

export interface ConfirmationLimit {
  /** Charges messages to an owner. `null` if they may be sent. */
  spend(owner: string, messages: number, now: number): Problem | null
  /** Charges another message for a channel, at most one in 24 hours. `null` if it may be sent. */
  spendAgain(owner: string, channel: RepeatedChannel, now: number): Problem | null
}

/** Limits the messages to unconfirmed addresses, which may belong to strangers. Each API instance counts separately. */
export function confirmationLimit(): ConfirmationLimit {
  const sent = new Map<string, { readonly since: number; messages: number }>()
  const repeatedAt = new Map<string, number>()

  const spend: ConfirmationLimit['spend'] = (owner, messages, now) => {
    for (const [name, { since }] of sent) if (now - since >= DAY_MS) sent.delete(name)
    const own = sent.get(owner) ?? { since: now, messages: 0 }
    if (messages > 0 && own.messages + messages > PER_DAY) return tooManyMessages(own.since + DAY_MS - now)
    if (messages > 0) sent.set(owner, { ...own, messages: own.messages + messages })
    return null
  }
  return {
    spend,
    spendAgain: (owner, { channel_id, created_at }, now) => {
      for (const [id, at] of repeatedAt) if (now - at >= DAY_MS) repeatedAt.delete(id)
      const waitMs = (repeatedAt.get(channel_id) ?? created_at) + DAY_MS - now // a new channel is asked at once
      if (waitMs > 0) return tooSoon(waitMs)
      const tooMany = spend(owner, 1, now)
      if (tooMany === null) repeatedAt.set(channel_id, now)
      return tooMany
    },
  }
}

const tooSoon = (waitMs: number): Problem =>
  problem('rate_limited', 'The address was asked for confirmation in the last 24 hours', {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  })

const tooManyMessages = (waitMs: number): Problem =>
  problem('rate_limited', `At most ${PER_DAY} addresses can be asked for confirmation in 24 hours`, {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  })
