import { retryAfterSeconds } from '../../domain/retry-after.ts'

/**
 * How long a response stays fresh, in seconds from `at` (milliseconds since 1970): `Cache-Control: max-age` less `Age`,
 * otherwise `Expires` (RFC 9111, 4.2). 0 for `no-cache` and `no-store`; `null` if the response does not say. Header names
 * are in lower case.
 */
export function freshSeconds(headers: Readonly<Record<string, string | undefined>>, at: number): number | null {
  const directives = (headers['cache-control'] ?? '')
    .toLowerCase()
    .split(',')
    .map((text) => text.trim())
  if (directives.includes('no-cache') || directives.includes('no-store')) return 0
  const maxAge = directives.map((text) => /^max-age="?(\d+)"?$/.exec(text)?.[1]).find((text) => text !== undefined)
  if (maxAge !== undefined) return Math.max(0, Number(maxAge) - wholeSeconds(headers['age']))
  return headers['expires'] === undefined ? null : expiresSeconds(headers['expires'], headers['date'], at)
}

const wholeSeconds = (text: string | undefined): number => (text !== undefined && /^\d+$/.test(text) ? Number(text) : 0)

/** By the clock of the server, if it names the time. An unreadable time, such as `0`, is past (RFC 9111, 5.3). */
function expiresSeconds(expires: string, date: string | undefined, at: number): number {
  const now = Date.parse(date ?? '')
  return /^-?\d+$/.test(expires) ? 0 : (retryAfterSeconds(expires, Number.isNaN(now) ? at : now) ?? 0)
}
