import { MemoryLog } from '../../src/adapters/memory-log.ts'
import { signatures } from '../../src/adapters/outbound.ts'
import { monitorsChanged, type MonitorChanged, type MonitorChannel } from '../../src/events/monitors.ts'
import type { WebhookDelivered } from '../../src/events/webhooks.ts'
import type { OutboundAnswer, OutboundRequest } from '../../src/ports/http.ts'
import type { Mail } from '../../src/ports/mail.ts'
import type { Task } from '../../src/runtime/shapes.ts'
import { dispatching } from '../../src/stages/delivered/effect.ts'
import { UpToDate } from '../../src/state/settings/book.ts'
import { changeSetting } from '../../src/state/settings/change-setting.ts'
import { channelLinks } from '../../src/state/settings/channel-links.ts'
import { channelUrls } from '../../src/state/settings/channel-urls.ts'
import { MonitorBook } from '../../src/state/settings/monitors.ts'
import { sealing } from '../../src/state/settings/secrets.ts'
import { WebhookBook } from '../../src/state/settings/webhooks.ts'
import { A_DAY } from './articles.ts'
import { aHandClock } from './hand-clock.ts'
import { aChannel, aMonitor } from './monitors.ts'
import { append, codec, eventsIn } from './plain-log.ts'
import { aDelivery } from './webhooks.ts'

const KEY = 'a secret of at least 32 characters'
const { seal, unseal } = sealing(KEY, 'monitors')

/** One minute after the deliveries of the builders were planned. */
export const CHANNEL_NOW = A_DAY + 60_000

export const CHANNEL_URLS = channelUrls('https://news.example.com', channelLinks(KEY))

/** The message of an e-mail, as planned. */
export const aMailPayload = (over: Record<string, unknown> = {}): string =>
  JSON.stringify({ subject: 'Rain: flood', text: 'Flood', html: '<p>Flood</p>', list_unsubscribe: null, ...over })

interface ChannelWorld {
  readonly monitor?: Partial<MonitorChanged>
  readonly channel?: Partial<MonitorChannel>
  /** The URL or address of the channel. */
  readonly target?: string
  readonly answer?: () => Promise<OutboundAnswer>
  readonly mail?: Mail | null
  readonly isHeard?: boolean
}

const accepts = () => Promise.resolve({ status: 200, retryAfterSeconds: null })

/** The effect with one monitor that has one channel. */
export async function aChannelWorld({
  monitor = {},
  channel = {},
  target = 'https://hooks.slack.com/services/T/B/x',
  answer = accepts,
  mail = null,
  isHeard = true,
}: ChannelWorld = {}) {
  const clock = aHandClock(CHANNEL_NOW)
  const log = new MemoryLog({ now: () => clock.now() })
  const channels = [aChannel({ sealed_target: seal(target, 'chn_a'), ...channel })]
  const set = (over: Partial<MonitorChanged>) => append(log, monitorsChanged, [aMonitor({ channels, ...over })])
  await set(monitor)
  const ports = { log, codec, clock, onStrange: () => undefined }
  const monitors = new UpToDate(new MonitorBook(), ports)
  const posts: (OutboundRequest & { readonly url: string })[] = []
  const internal: unknown[] = []
  const effect = dispatching({
    endpoints: new UpToDate(new WebhookBook(), ports),
    channels: {
      ...{ monitors, unseal, mail, urls: CHANNEL_URLS },
      change: async (id, change) => {
        await changeSetting(id, change, { log, codec, known: monitors })
      },
    },
    outbound: {
      post: async (url, request) => {
        posts.push({ url, ...request })
        return answer()
      },
    },
    ...{ unseal, signatures, clock, retryMs: [0, 5_000], change: async () => undefined },
    liveKeyCheck: () => Promise.resolve(() => isHeard),
    onInternal: (cause) => internal.push(cause),
  })
  const attempt = async (
    delivery: Partial<WebhookDelivered> = {},
    lane: Pick<Task<WebhookDelivered>, 'since' | 'laneWentWellAt'> = { since: CHANNEL_NOW - 1_000, laneWentWellAt: 0 },
  ) => {
    const place = { topic: 'webhooks.delivered', partition: 0, offset: 3 }
    const event = aDelivery({ webhook_id: 'chn_a', type: 'monitor.matched', ...delivery })
    const task = { input: { event, topic: place.topic, place, loggedAt: A_DAY }, ...lane }
    return (await effect.attempt(task, new AbortController().signal)).event
  }
  const channelNow = async () => (await eventsIn(log, monitorsChanged)).at(-1)?.channels[0]
  return { attempt, channelNow, clock, effect, internal, log, posts, set }
}
