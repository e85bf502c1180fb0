import type { Context } from 'hono'
import { refuse, type Env } from './answer.ts'
import { isProblem } from './problem.ts'

/** Sends the response of another protocol's handler, with the headers of every response. It is not cached. */
export function relay(c: Context<Env>, reply: unknown): Response {
  if (isProblem(reply)) return refuse(c, reply)
  if (!(reply instanceof Response)) throw new Error(`${c.req.path} returned no response`)
  const headers = c.get('headers')
  const type = reply.headers.get('content-type')
  headers['cache-control'] = 'no-store'
  if (type !== null) headers['content-type'] = type
  return new Response(reply.body, { status: reply.status, headers })
}
