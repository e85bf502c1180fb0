import type { MonitorChannel, MonitorChanged } from '../../events/monitors.ts'
import type { ChannelLinkPurpose, ChannelLinks } from './channel-links.ts'

type LinkedChannel = Pick<MonitorChanged, 'monitor_id'> & Pick<MonitorChannel, 'channel_id'>

/** The URLs in messages to channels of monitors. */
export interface ChannelUrls {
  /** A story in the dashboard. */
  readonly story: (clusterId: string) => string
  /** Confirms or ends the messages to a channel, without a key. */
  readonly link: (purpose: ChannelLinkPurpose, channel: LinkedChannel) => string
}

/** `publicUrl` without a trailing slash. */
export function channelUrls(publicUrl: string, { token }: Pick<ChannelLinks, 'token'>): ChannelUrls {
  return {
    story: (clusterId) => `${publicUrl}/#/stories/${encodeURIComponent(clusterId)}`,
    link: (purpose, channel) =>
      `${publicUrl}/v1/monitors/${channel.monitor_id}/channels/${channel.channel_id}/${purpose}` +
      `?token=${token(purpose, channel)}`,
  }
}
