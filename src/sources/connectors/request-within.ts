import type { z } from 'zod'
import type { Http, HttpAnswer, HttpRequest } from '../../ports/http.ts'
import { PlatformAway } from './platform.ts'

/** An answer of any status. Throws `Away` when there is none, and what the signal brought when it was aborted. */
export async function requestWithin(http: Http, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  try {
    return await http(request, signal)
  } catch (cause) {
    if (signal.aborted) throw cause
    throw new PlatformAway(cause instanceof Error && cause.name === 'TimeoutError' ? 'timeout' : 'no_answer', { cause })
  }
}

/** The body of an answer in the shape that is used. Throws `Away`: what cannot be read is never half taken. */
export function shaped<Out>({ body }: Pick<HttpAnswer, 'body'>, shape: z.ZodType<Out>): Out {
  const value = parsed(body)
  try {
    return shape.parse(value)
  } catch (cause) {
    throw new PlatformAway('unexpected_shape', { cause }) // nested without end, too
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new PlatformAway('not_json') // the parser's own words would quote what people wrote
  }
}

/** A header that holds a number; null: it is not there, or holds none. */
export function numberIn({ headers }: Pick<HttpAnswer, 'headers'>, name: string): number | null {
  const text = headers[name]?.trim() ?? ''
  return /^\d{1,12}(\.\d{1,12})?$/.test(text) ? Number(text) : null
}

/** When `Retry-After` says to come again, in seconds or as a date, milliseconds since 1970; null: it does not say. */
export function retryAt(answer: Pick<HttpAnswer, 'headers'>, now: number): number | null {
  const seconds = numberIn(answer, 'retry-after')
  if (seconds !== null) return now + seconds * 1_000
  const date = Date.parse(answer.headers['retry-after'] ?? '')
  return Number.isNaN(date) ? null : date
}

const SOONEST_MS = 5_000
const LATEST_MS = 86_400_000

/** A moment to wait for that a platform named: at least five seconds ahead and at most a day. */
export const within = (until: number, now: number): number =>
  Math.min(Math.max(until, now + SOONEST_MS), now + LATEST_MS)
