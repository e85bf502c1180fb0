import type { z } from 'zod'
import type { Http, HttpAnswer, HttpRequest } from '../../ports/http.ts'
import { parsedJson } from '../jsonl.ts'
import { PlatformUnavailable } from './platform.ts'

/** A response of any status. Throws `PlatformUnavailable` if there is none, and the abort reason if the signal was aborted. */
export async function requestWithin(http: Http, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  try {
    return await http(request, signal)
  } catch (cause) {
    if (signal.aborted) throw cause
    throw new PlatformUnavailable(cause instanceof Error && cause.name === 'TimeoutError' ? 'timeout' : 'no_answer', {
      cause,
    })
  }
}

/** Parses the body of a response. Throws `PlatformUnavailable` if it does not have the shape; nothing is used partially. */
export function shaped<Out>({ body }: Pick<HttpAnswer, 'body'>, shape: z.ZodType<Out>): Out {
  const value = parsedJson(body)
  if (value === undefined) throw new PlatformUnavailable('not_json') // the parser's message would quote post text
  try {
    return shape.parse(value)
  } catch (cause) {
    throw new PlatformUnavailable('unexpected_shape', { cause }) // also if it is nested too deeply
  }
}

/** The number in a header; `null` if there is none. */
export function numberIn({ headers }: Pick<HttpAnswer, 'headers'>, name: string): number | null {
  const text = headers[name]?.trim() ?? ''
  return /^\d{1,12}(\.\d{1,12})?$/.test(text) ? Number(text) : null
}

/** The time in `Retry-After` (seconds or a date), milliseconds since 1970; `null` if there is none. */
export function retryAt(answer: Pick<HttpAnswer, 'headers'>, now: number): number | null {
  const seconds = numberIn(answer, 'retry-after')
  if (seconds !== null) return now + seconds * 1_000
  const date = Date.parse(answer.headers['retry-after'] ?? '')
  return Number.isNaN(date) ? null : date
}

const SOONEST_MS = 5_000
const LATEST_MS = 86_400_000

/** Limits a retry time from a platform to between five seconds and a day from now. */
export const within = (until: number, now: number): number =>
  Math.min(Math.max(until, now + SOONEST_MS), now + LATEST_MS)
