import { expect, it } from 'vitest'
import { aChannel, aMonitor } from '../../../test/builders/monitors.ts'
import { append, codec } from '../../../test/builders/plain-log.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { monitorsChanged } from '../../events/monitors.ts'
import { channelLinks } from './channel-links.ts'
import { channelUrls } from './channel-urls.ts'
import { MonitorBook } from './monitors.ts'

it('finds a channel with its monitor, and none that was removed', async () => {
  const [log, book] = [new MemoryLog(), new MonitorBook()]
  const [first, second] = [aChannel({ channel_id: 'chn_a' }), aChannel({ channel_id: 'chn_b', status: 'disabled' })]
  await append(log, monitorsChanged, [aMonitor({ channels: [first, second] }), aMonitor({ monitor_id: 'mon_b' })])
  await book.catchUp({ log, codec })

  expect(book.channel('chn_b')).toMatchObject({ monitor: { monitor_id: 'mon_a' }, channel: { status: 'disabled' } })
  expect(book.channel('chn_c')).toBeNull()

  await append(log, monitorsChanged, [aMonitor({ channels: [first] })])
  await book.catchUp({ log, codec })

  expect(book.channel('chn_a')).not.toBeNull()
  expect(book.channel('chn_b')).toBeNull()
})

it('links to a story of the dashboard, and to a channel by a token for this purpose alone', () => {
  const { story, link } = channelUrls('https://news.example.com', channelLinks('a secret'))
  const channel = { monitor_id: 'mon_a', channel_id: 'chn_a' }
  const url = new URL(link('unsubscribe', channel))
  const token = url.searchParams.get('token') ?? ''

  expect(story('sto_a')).toBe('https://news.example.com/#/stories/sto_a')
  expect(url.pathname).toBe('/v1/monitors/mon_a/channels/chn_a/unsubscribe')
  expect(channelLinks('a secret').isToken(token, 'unsubscribe', channel)).toBe(true)
  expect(channelLinks('a secret').isToken(token, 'confirm', channel)).toBe(false)
})
