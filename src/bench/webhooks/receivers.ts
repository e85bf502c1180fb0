import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

/** How a receiver reacts to a request: it responds with a status, never responds, or closes the connection. */
export type Behaviour = () => number | 'silence' | 'reset'

interface ReceiversArrival {
  /** The header `webhook-id`. */
  readonly id: string
  /** The number of the change, from the body. */
  readonly number: number
  /** Milliseconds, as `performance.now()`. */
  readonly at: number
  /** `true` if the response was 2xx. */
  readonly accepted: boolean
}

export interface Receiver {
  readonly url: string
  readonly arrivals: ReceiversArrival[]
  close(): Promise<void>
}

const Body = z.object({ data: z.object({ number: z.number() }) })

/** A local server that records requests and responds after a delay. */
export async function openReceiver(behaviour: Behaviour, delayMs: () => number = () => 0): Promise<Receiver> {
  const arrivals: ReceiversArrival[] = []
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        const reaction = behaviour()
        arrivals.push(arrivalOf(request, body, reaction))
        setTimeout(() => answer(response, reaction), delayMs())
      },
      () => response.destroy(), // the sender was killed
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, arrivals, close: () => close(server) }
}

function arrivalOf({ headers }: IncomingMessage, body: string, reaction: ReturnType<Behaviour>): ReceiversArrival {
  const { number } = Body.parse(JSON.parse(body)).data
  const accepted = typeof reaction === 'number' && reaction >= 200 && reaction < 300
  return { id: String(headers['webhook-id']), number, at: performance.now(), accepted }
}

function answer(response: ServerResponse, reaction: ReturnType<Behaviour>): void {
  if (reaction === 'reset') response.destroy()
  else if (reaction !== 'silence') response.writeHead(reaction).end()
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

export const succeeds: Behaviour = () => 204
export const silent: Behaviour = () => 'silence'

/** Fails for this share of requests, with one of several failures each, after it has read the request. */
export const failing =
  (share: number, random: () => number): Behaviour =>
  () => {
    if (random() >= share) return 200
    const failures = [500, 503, 429, 'reset'] as const
    return failures[Math.floor(random() * failures.length)] ?? 500
  }
