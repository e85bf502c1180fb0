import { expect, it } from 'vitest'
import { channelText } from './channel-text.ts'

it.each([
  [
    { type: 'slack', hint: 'hooks.slack.com', status: 'active', disabled_reason: null },
    'Slack hooks.slack.com (active)',
  ],
  [
    { type: 'email', hint: 'd…@a.example', status: 'unconfirmed', disabled_reason: null },
    'E-mail d…@a.example (waiting for confirmation)',
  ],
  [
    { type: 'email', hint: 'd…@a.example', status: 'disabled', disabled_reason: 'unsubscribed' },
    'E-mail d…@a.example (disabled: its reader unsubscribed)',
  ],
  [
    { type: 'teams', hint: 'a.example', status: 'disabled', disabled_reason: 'a_new_reason' },
    'Microsoft Teams a.example (disabled: a new reason)',
  ],
] as const)('describes a channel: %j', (channel, expected) => {
  expect(channelText(channel)).toBe(expected)
})
