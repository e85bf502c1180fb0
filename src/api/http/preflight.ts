import type { Context } from 'hono'
import { sendNothing, type Env } from './answer.ts'

const SENT = 'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-Id'
/** A browser asks again after so many seconds. */
const MAX_AGE = '600'

/**
 * What an address takes; needs no key, as browsers send none. A page of an origin on the list (its headers say so
 * already) gets what it may send; one of any other origin gets nothing, and its browser keeps it from asking.
 */
export function preflight(c: Context<Env>, methods: string): Response {
  const headers = c.get('headers')
  headers['allow'] = `${methods}, OPTIONS`
  if (headers['access-control-allow-origin'] !== undefined) {
    headers['access-control-allow-methods'] = methods
    headers['access-control-allow-headers'] = SENT
    headers['access-control-max-age'] = MAX_AGE
  }
  return sendNothing(c)
}
