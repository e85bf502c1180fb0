import type { Context } from 'hono'
import { refuse, type Env } from './answer.ts'
import { isProblem } from './problem.ts'

/** The `contentType` of routes that stream. */
export const STREAM = 'text/event-stream'

const brand = Symbol('streamed')

/** An endless response: a handler returns it instead of JSON. */
export interface Streamed {
  readonly [brand]: true
  /** Pulled only when the client has received the previous chunk. */
  readonly body: ReadableStream<Uint8Array>
}

export const streamed = (body: ReadableStream<Uint8Array>): Streamed => ({ [brand]: true, body })

const isStreamed = (reply: unknown): reply is Streamed => typeof reply === 'object' && reply !== null && brand in reply

/** Sends a stream. It is never cached or compressed, and proxies do not buffer it. */
export function streamOf(c: Context<Env>, reply: unknown): Response {
  if (isProblem(reply)) return refuse(c, reply)
  if (!isStreamed(reply)) throw new Error(`${c.req.path} returned no stream`)
  const headers = c.get('headers')
  headers['content-type'] = STREAM
  headers['cache-control'] = 'no-store'
  headers['x-accel-buffering'] = 'no'
  if (c.req.method !== 'HEAD') return new Response(reply.body, { status: 200, headers })
  void reply.body.cancel()
  return new Response(null, { status: 200, headers })
}

/** The connection of a long-running request. */
export interface Connection {
  /** Whether the key is still valid: neither revoked nor expired. */
  readonly isAllowed: () => boolean
  /** Closes the connection immediately. */
  readonly cut: () => void
  /** Aborted when the client disconnects. */
  readonly gone: () => AbortSignal
}

export const connectionOf = (c: Context<Env>, isAllowed: () => boolean): Connection => ({
  isAllowed,
  cut: () => {
    const env: unknown = c.env
    if (hasOutgoing(env)) env.outgoing.destroy()
  },
  gone: () => c.req.raw.signal,
})

/** True on a listener; a request constructed in a test has no connection. */
const hasOutgoing = (env: unknown): env is { readonly outgoing: { destroy(): void } } =>
  typeof env === 'object' && env !== null && 'outgoing' in env
