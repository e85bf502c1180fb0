import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

/** How a receiver reacts to a request: it responds with a status, never responds, or closes the connection. */
export type Manner = () => number | 'silence' | 'reset'

interface ReceiversArrival {
  /** The header `webhook-id`. */
  readonly id: string
  /** The number of the change, from the body. */
  readonly number: number
  /** Milliseconds, as `performance.now()`. */
  readonly at: number
  /** `true` if the response was 2xx. */
  readonly taken: boolean
}

export interface Receiver {
  readonly url: string
  readonly arrivals: ReceiversArrival[]
  close(): Promise<void>
}

const Body = z.object({ data: z.object({ number: z.number() }) })

/** A local server that records requests and responds after a delay. */
export async function openReceiver(manner: Manner, answersAfterMs: () => number = () => 0): Promise<Receiver> {
  const arrivals: ReceiversArrival[] = []
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        const does = manner()
        arrivals.push(arrivalOf(request, body, does))
        setTimeout(() => answer(response, does), answersAfterMs())
      },
      () => response.destroy(), // the sender was killed
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, arrivals, close: () => close(server) }
}

function arrivalOf({ headers }: IncomingMessage, body: string, does: ReturnType<Manner>): ReceiversArrival {
  const { number } = Body.parse(JSON.parse(body)).data
  const taken = typeof does === 'number' && does >= 200 && does < 300
  return { id: String(headers['webhook-id']), number, at: performance.now(), taken }
}

function answer(response: ServerResponse, does: ReturnType<Manner>): void {
  if (does === 'reset') response.destroy()
  else if (does !== 'silence') response.writeHead(does).end()
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

export const takes: Manner = () => 204
export const isSilent: Manner = () => 'silence'

/** Fails for this share of requests, with one of several failures each, after it has read the request. */
export const failing =
  (share: number, random: () => number): Manner =>
  () => {
    if (random() >= share) return 200
    const ways = [500, 503, 429, 'reset'] as const
    return ways[Math.floor(random() * ways.length)] ?? 500
  }
