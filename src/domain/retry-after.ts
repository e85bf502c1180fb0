/**
 * Seconds from `at` (milliseconds since 1970) until a request may be repeated, by the header `Retry-After`: seconds or
 * an HTTP date (RFC 9110, 10.2.3). 0 if the date is past; `null` if there is no readable value.
 */
export function retryAfterSeconds(text: string | undefined, at: number): number | null {
  if (text === undefined) return null
  if (/^\d+$/.test(text)) return Number(text)
  const until = Date.parse(text)
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - at) / 1000))
}
