import type { Context } from 'hono'
import { refuse, type Env } from './answer.ts'
import { isProblem } from './problem.ts'

/** What a route with an answer without end says as its `contentType`. */
export const STREAM = 'text/event-stream'

const brand = Symbol('streamed')

/** An answer without end, of bytes as they come: a handler returns it in place of one. */
export interface Streamed {
  readonly [brand]: true
  /** Asked for more only when the client has taken what it was given. */
  readonly body: ReadableStream<Uint8Array>
}

export const streamed = (body: ReadableStream<Uint8Array>): Streamed => ({ [brand]: true, body })

const isStreamed = (reply: unknown): reply is Streamed => typeof reply === 'object' && reply !== null && brand in reply

/** Never cached, never compressed, never held back by a proxy that gathers. */
export function streamOf(c: Context<Env>, reply: unknown): Response {
  if (isProblem(reply)) return refuse(c, reply)
  if (!isStreamed(reply)) throw new Error(`${c.req.path} gave no stream`)
  const headers = c.get('headers')
  headers['content-type'] = STREAM
  headers['cache-control'] = 'no-store'
  headers['x-accel-buffering'] = 'no'
  if (c.req.method !== 'HEAD') return new Response(reply.body, { status: 200, headers })
  void reply.body.cancel()
  return new Response(null, { status: 200, headers })
}

/** The connection of a request that takes its time. */
export interface Connection {
  /** The key is still one: neither revoked nor expired. */
  readonly isAllowed: () => boolean
  /** Ends it without another word. */
  readonly cut: () => void
  /** Aborted when the client is gone. */
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

/** Where a listener serves; a request that was made up in a test has no connection. */
const hasOutgoing = (env: unknown): env is { readonly outgoing: { destroy(): void } } =>
  typeof env === 'object' && env !== null && 'outgoing' in env
