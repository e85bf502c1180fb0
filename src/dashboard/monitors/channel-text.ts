import type { ShownChannel, ShownChannelType } from './answers.ts'

export const CHANNEL_TITLES: Readonly<Record<ShownChannelType, string>> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  email: 'E-mail',
}

export const CHANNEL_TYPES = ['slack', 'teams', 'email'] as const satisfies readonly ShownChannelType[]

const REASONS: Readonly<Record<string, string>> = {
  gone: 'the address no longer exists',
  failing: 'messages could not be delivered',
  unsubscribed: 'its reader unsubscribed',
}

/** `active`, `waiting for confirmation`, `disabled: its reader unsubscribed`. */
export function channelStatus({ status, disabled_reason }: Pick<ShownChannel, 'status' | 'disabled_reason'>): string {
  if (status === 'unconfirmed') return 'waiting for confirmation'
  if (status === 'active' || disabled_reason === null) return status
  return `disabled: ${REASONS[disabled_reason] ?? disabled_reason.replaceAll('_', ' ')}`
}

/** `Slack hooks.slack.com (active)`. */
export const channelText = (channel: Pick<ShownChannel, 'type' | 'hint' | 'status' | 'disabled_reason'>): string =>
  `${CHANNEL_TITLES[channel.type]} ${channel.hint} (${channelStatus(channel)})`
