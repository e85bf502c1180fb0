import { readMailMessage } from '../../../domain/monitors/mail-message.ts'
import { CHANNEL_CONFIRMATION } from '../../../domain/monitors/messages.ts'
import { MATCH_TYPES, type MonitorChanged, type MonitorChannel } from '../../../events/monitors.ts'
import type { WebhookDelivered } from '../../../events/webhooks.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Outbound } from '../../../ports/http.ts'
import type { Mail } from '../../../ports/mail.ts'
import type { Task } from '../../../runtime/shapes.ts'
import type { UpToDate } from '../../../state/settings/book.ts'
import type { SettingChange } from '../../../state/settings/change-setting.ts'
import type { ChannelUrls } from '../../../state/settings/channel-urls.ts'
import type { SettingOwner } from '../../../state/settings/has-live-key.ts'
import type { ChannelOfMonitor, MonitorBook } from '../../../state/settings/monitors.ts'
import type { Seal } from '../../../state/settings/secrets.ts'
import { reasonToDisable, type EffectReason } from '../reason-to-disable.ts'
import { replyOf } from '../reply.ts'
import { cancelled, isAccepted, postponed, SecretUnreadable, verdict, type DeliveryReply } from '../verdict.ts'
import { MailAllowance, nextDay } from './mail-allowance.ts'

/** What deliveries to channels of monitors need. */
export interface ChannelDispatching {
  readonly monitors: UpToDate<MonitorBook>
  /** Of the targets of channels. */
  readonly unseal: Seal['unseal']
  /** `null` if no mail server is configured. */
  readonly mail: Mail | null
  readonly urls: Pick<ChannelUrls, 'link'>
  /** Changes a monitor that others may change concurrently. */
  readonly change: (id: string, change: SettingChange<MonitorChanged, 'left_alone'>) => Promise<void>
}

interface ChannelAttempts {
  readonly channels: ChannelDispatching
  readonly outbound: Pick<Outbound, 'post'>
  readonly liveKeyCheck: () => Promise<(owned: SettingOwner) => boolean>
  readonly clock: Pick<Clock, 'now'>
  readonly retryMs: readonly number[]
  readonly onInternal: (cause: unknown, receiver: string) => void
}

interface AllowedAttempts extends ChannelAttempts {
  readonly allowance: MailAllowance
}

/** An attempt of a delivery to a channel of a monitor. Resolves to the event that records it. */
export function channelAttempts(dispatching: ChannelAttempts) {
  const with_ = { ...dispatching, allowance: new MailAllowance() }
  return (task: Task<WebhookDelivered>, signal: AbortSignal): Promise<WebhookDelivered> => attempt(task, with_, signal)
}

async function attempt(
  task: Task<WebhookDelivered>,
  with_: AllowedAttempts,
  signal: AbortSignal,
): Promise<WebhookDelivered> {
  const { clock, retryMs } = with_
  const found = await receiverOf(task.input.event, with_)
  if (found === null) return cancelled(task.input, clock.now())

  const startedAt = clock.now()
  const { channel_id } = found.channel
  const onInternal = (cause: unknown): void => with_.onInternal(cause, channel_id)
  const sending = { event: task.input.event, signal, now: startedAt }
  const reply = await replyOf(() => send(found, sending, with_), { signal, onInternal })
  if (reply === 'over_allowance') return postponed(task.input, startedAt, nextDay(startedAt))
  const made = verdict(task.input, { reply, startedAt, endedAt: clock.now() }, retryMs)
  const reason = reasonToDisable(made, task, retryMs)
  // as for endpoints: the attempt is recorded in any case
  if (reason !== null) await disable(found, reason, with_).catch(onInternal)
  return made
}

/** The channel as it now is. `null` if it must not receive the delivery any more. */
async function receiverOf(event: WebhookDelivered, with_: AllowedAttempts): Promise<ChannelOfMonitor | null> {
  const found = (await with_.channels.monitors.now()).channel(event.webhook_id)
  if (found?.monitor.namespace !== event.namespace || !mayReceive(found, event)) return null
  return (await with_.liveKeyCheck())(found.monitor) ? found : null
}

/** An address that is not confirmed receives nothing but the request to confirm it. */
function mayReceive({ monitor, channel }: ChannelOfMonitor, { type }: Pick<WebhookDelivered, 'type'>): boolean {
  const isMatch = MATCH_TYPES.some((one) => one === type)
  if (monitor.status === 'deleted' || (isMatch && monitor.status !== 'active')) return false
  return channel.status === 'active' || (channel.status === 'unconfirmed' && type === CHANNEL_CONFIRMATION)
}

interface Sending {
  readonly event: WebhookDelivered
  readonly signal: AbortSignal
  readonly now: number
}

/** `over_allowance`: the address receives no further e-mail today, so none was sent. */
type ChannelReply = DeliveryReply | 'over_allowance'

async function send(found: ChannelOfMonitor, sending: Sending, with_: AllowedAttempts): Promise<ChannelReply> {
  const target = targetOf(found.channel, with_.channels)
  return found.channel.type === 'email'
    ? sendMail(target, { ...found, ...sending }, with_)
    : post(target, sending, with_)
}

function targetOf({ channel_id, sealed_target }: MonitorChannel, { unseal }: ChannelDispatching): string {
  try {
    return unseal(sealed_target, channel_id)
  } catch (cause) {
    throw new SecretUnreadable(`the target of channel ${channel_id} was sealed under another SECRETS_KEY`, { cause })
  }
}

/** Statuses of Slack and Teams for a webhook that was deleted, or whose channel was archived. */
const GONE: ReadonlySet<number> = new Set([404, 410])

async function post(url: string, { event, signal }: Sending, { outbound }: AllowedAttempts): Promise<DeliveryReply> {
  const headers = { 'content-type': 'application/json', 'user-agent': 'story-intelligence-service' }
  const answer = await outbound.post(url, { headers, body: event.payload }, signal)
  return { ...answer, isGone: GONE.has(answer.status) }
}

/** Counts the e-mail before it is sent, since attempts run concurrently. */
async function sendMail(
  to: string,
  sending: Sending & ChannelOfMonitor,
  { allowance, channels: { mail, urls } }: AllowedAttempts,
): Promise<ChannelReply> {
  const { event, signal, now } = sending
  if (mail === null) throw new NoMailServer('SMTP_URL and MAIL_FROM are not set')
  const { list_unsubscribe, ...message } = readMailMessage(event.payload)
  if (!allowance.take(to, now)) return 'over_allowance'

  const unsubscribe = list_unsubscribe ?? unsubscribeLink(sending, urls)
  let reply: DeliveryReply | null = null
  try {
    const answer = await mail.send({ id: event.delivery_id, to, unsubscribe, ...message }, signal)
    reply = { status: answer.status, retryAfterSeconds: null, isGone: answer.isRecipientRefused, error: 'smtp_status' }
    return reply
  } finally {
    if (reply === null || !isAccepted(reply)) allowance.giveBack(to)
  }
}

/** A request to confirm an address is no subscription yet. */
const unsubscribeLink = (
  { event, monitor: { monitor_id }, channel: { channel_id } }: Sending & ChannelOfMonitor,
  { link }: ChannelDispatching['urls'],
): string | null => (event.type === CHANNEL_CONFIRMATION ? null : link('unsubscribe', { monitor_id, channel_id }))

class NoMailServer extends Error {
  override readonly name = 'NoMailServer'
}

/** Keeps concurrent changes by the owner: another target, another state, or no channel any more. */
async function disable(
  { monitor, channel }: ChannelOfMonitor,
  { reason, since }: EffectReason,
  { channels, clock }: AllowedAttempts,
): Promise<void> {
  const updated_at = clock.now()
  const isSame = (other: MonitorChannel): boolean =>
    other.channel_id === channel.channel_id && other.sealed_target.equals(channel.sealed_target)
  await channels.change(monitor.monitor_id, {
    refusal: (now) => {
      const current = now?.channels.find(isSame)
      const isOther = current === undefined || current.status === 'disabled'
      return now === null || isOther || now.updated_at > since ? 'left_alone' : null
    },
    become: (now) => ({
      ...now,
      channels: now.channels.map((one) =>
        isSame(one) ? { ...one, status: 'disabled', disabled_reason: reason } : one,
      ),
      updated_at,
    }),
  })
}
