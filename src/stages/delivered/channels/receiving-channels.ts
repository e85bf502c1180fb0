import { channelMessage } from '../../../domain/monitors/messages.ts'
import { sentMatches } from '../../../domain/monitors/sent-matches.ts'
import type { ChangePublished } from '../../../events/changes.ts'
import type { MonitorChanged } from '../../../events/monitors.ts'
import type { ChannelUrls } from '../../../state/settings/channel-urls.ts'
import { isLoggedAfterCreation, type PlannedMessage } from '../planned-delivery.ts'

interface LoggedChange {
  readonly event: Pick<ChangePublished, 'type' | 'data' | 'namespace' | 'monitor_id'>
  readonly loggedAt: number
}

interface Monitors {
  /** `null` if there is no such monitor. */
  readonly monitor: (id: string) => MonitorChanged | null
  readonly hasLiveKey: (monitor: MonitorChanged) => boolean
  readonly urls: ChannelUrls
}

/** The messages that the channels of a change's monitor receive. */
export function channelMessages({ event, loggedAt }: LoggedChange, with_: Monitors): readonly PlannedMessage[] {
  const monitor = event.monitor_id === null ? null : with_.monitor(event.monitor_id)
  if (monitor === null || !isReceiving(monitor, event, with_)) return []
  const matches = sentMatches(event)
  if (matches === null || matches.stories.length === 0) return []
  const { story, link } = with_.urls
  return monitor.channels
    .filter((channel) => channel.status === 'active' && isLoggedAfterCreation(channel, loggedAt))
    .map(({ channel_id, type }) => {
      const unsubscribe = link('unsubscribe', { monitor_id: monitor.monitor_id, channel_id })
      return { receiver: channel_id, payload: channelMessage(type, matches, { story, unsubscribe }) }
    })
}

const isReceiving = (
  monitor: MonitorChanged,
  { namespace }: Pick<ChangePublished, 'namespace'>,
  { hasLiveKey }: Pick<Monitors, 'hasLiveKey'>,
): boolean => monitor.status === 'active' && monitor.namespace === namespace && hasLiveKey(monitor)
