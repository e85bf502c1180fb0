import { expect, it } from 'vitest'
import { channelLinks } from './channel-links.ts'

const A_CHANNEL = { monitor_id: 'mon_a', channel_id: 'chn_a' }
const links = channelLinks('a secret of at least 32 characters')

it('a token holds for its purpose, its channel and its secret only', () => {
  const token = links.token('confirm', A_CHANNEL)

  expect(links.isToken(token, 'confirm', A_CHANNEL)).toBe(true)
  expect(links.isToken(token, 'unsubscribe', A_CHANNEL)).toBe(false)
  expect(links.isToken(token, 'confirm', { ...A_CHANNEL, channel_id: 'chn_b' })).toBe(false)
  expect(channelLinks('another secret of 32 characters, or more').isToken(token, 'confirm', A_CHANNEL)).toBe(false)
})

it.each(['', 'x', '../..', 'ä'.repeat(43)])('%j is no token', (given) => {
  expect(links.isToken(given, 'confirm', A_CHANNEL)).toBe(false)
})
