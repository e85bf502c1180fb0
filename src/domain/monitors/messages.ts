import type { ChannelType } from '../../events/monitors.ts'
import { mailMessage } from './mail-message.ts'
import { matchContent, testContent, type MessageContent, type SentMatches } from './message-content.ts'
import { slackMessage } from './slack-message.ts'
import { teamsMessage } from './teams-message.ts'

/** The URLs in a message to one channel. */
export interface MessageUrls {
  /** A story in the dashboard. */
  readonly story: (clusterId: string) => string
  /** Ends the messages to the channel, without a key. */
  readonly unsubscribe: string
}

/** The type of a delivery that asks the owner of an e-mail address to confirm it. */
export const CHANNEL_CONFIRMATION = 'channel.confirmation'

/** Channel ids are in the same field as webhook ids. */
export const isChannelId = (id: string): boolean => id.startsWith('chn_')

/** The exact message for a channel about matches of its monitor: the body of a request, or an e-mail as JSON. */
export const channelMessage = (type: ChannelType, matches: SentMatches, urls: MessageUrls): string =>
  written(type, matchContent(matches, urls.story), urls.unsubscribe)

/** The message with which an owner tries a channel. */
export const channelTestMessage = (type: ChannelType, monitorName: string): string =>
  written(type, testContent(monitorName), null)

function written(type: ChannelType, content: MessageContent, unsubscribe: string | null): string {
  switch (type) {
    case 'slack':
      return slackMessage(content)
    case 'teams':
      return teamsMessage(content)
    case 'email':
      return mailMessage(content, unsubscribe)
  }
}
