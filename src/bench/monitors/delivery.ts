import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import type { ArticleIngested } from '../../events/articles.ts'
import type { OwnService } from '../own-service.ts'
import { nearestRank } from '../rounds.ts'

/** Articles per second. */
const RATE = 5
const GIVE_UP_MS = 120_000

const Created = z.object({ id: z.string() })
const Delivered = z.object({ data: z.object({ story: z.object({ article_ids: z.array(z.string()) }) }) })
const Submitted = z.object({ job_id: z.string(), article_id: z.string() })

export interface DeliveryFigures {
  readonly rate: number
  readonly articles: number
  readonly delivered: number
  /** Milliseconds from POST until the webhook receives the first match that contains the article. */
  readonly p50: number
  readonly p95: number
  readonly max: number
}

/**
 * The time from an article's POST to the delivery of the match that it causes. One monitor matches every story, so each
 * article that opens a story is delivered.
 */
export async function deliveryTimes(
  service: OwnService,
  articles: readonly ArticleIngested[],
): Promise<DeliveryFigures> {
  const arrivals = new Map<string, number>()
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        const { article_ids } = Delivered.parse(JSON.parse(body)).data.story
        for (const id of article_ids) if (!arrivals.has(id)) arrivals.set(id, performance.now())
        response.writeHead(204).end()
      },
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo
    await subscribe(service, `http://127.0.0.1:${port}/`)
    const sent = await sendAll(service, articles)
    return await figuresOf(sent, arrivals)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** A monitor that every article in English meets, and an endpoint for its matches. */
async function subscribe({ url, key }: OwnService, receiver: string): Promise<void> {
  const monitor = await post({ url, key }, '/v1/monitors', {
    name: 'Every story',
    conditions: { languages: ['en'] },
    max_per_day: 1_000,
  })
  const { id } = Created.parse(monitor)
  const filters = { monitor_ids: [id] }
  Created.parse(await post({ url, key }, '/v1/webhooks', { url: receiver, events: ['monitor.matched'], filters }))
  await setTimeout(2_000) // until the stages have read both settings
}

async function sendAll(
  service: OwnService,
  articles: readonly ArticleIngested[],
): Promise<ReadonlyMap<string, number>> {
  const began = performance.now()
  const sent = new Map<string, number>()
  await Promise.all(
    articles.map(async ({ text: body, title }, i) => {
      const due = began + (i * 1000) / RATE
      await setTimeout(Math.max(0, due - performance.now()))
      const answer = await post(service, '/layer0/v1/process', {
        text: body,
        ...(title !== null && { metadata: { title } }),
      })
      sent.set(Submitted.parse(answer).article_id, due)
    }),
  )
  return sent
}

/** Waits until nothing new arrives, then compares. Articles that joined a story that had matched are not delivered. */
async function figuresOf(
  sent: ReadonlyMap<string, number>,
  arrivals: ReadonlyMap<string, number>,
): Promise<DeliveryFigures> {
  const began = performance.now()
  for (let known = -1; known !== arrivals.size && performance.now() - began < GIVE_UP_MS;) {
    known = arrivals.size
    await setTimeout(10_000)
  }
  const times = [...sent].flatMap(([id, at]) => {
    const arrived = arrivals.get(id)
    return arrived === undefined ? [] : [arrived - at]
  })
  return {
    rate: RATE,
    articles: sent.size,
    delivered: times.length,
    p50: nearestRank(times, 0.5),
    p95: nearestRank(times, 0.95),
    max: nearestRank(times, 1),
  }
}

async function post({ url, key }: Pick<OwnService, 'url' | 'key'>, path: string, body: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.json()
}

export const deliveryLines = (found: DeliveryFigures): readonly string[] => [
  `  ${found.rate} articles a second: ${found.delivered} of ${found.articles} opened a story that was delivered`,
  `  ms from POST to delivery   p50 ${found.p50.toFixed(0)}   p95 ${found.p95.toFixed(0)}   max ${found.max.toFixed(0)}`,
]
