import { isIP } from 'node:net'
import { parsedUrl } from '../../events/canonical-url.ts'

/**
 * Whether a page with this origin may call a route that checks origins. Allowed are `CORS_ORIGINS`, and the service's own
 * address if that is `localhost` or an IP address. A host name is not enough: another site can make its name resolve to
 * this machine (DNS rebinding). Programs other than browsers send no `Origin`.
 */
export function isAllowedOrigin(origin: string | undefined, url: string, allowed: readonly string[]): boolean {
  if (origin === undefined || allowed.includes(origin)) return true
  const page = parsedUrl(origin)
  const own = parsedUrl(url)
  return page !== null && own !== null && page.host === own.host && cannotBeRebound(own.hostname)
}

const cannotBeRebound = (hostname: string): boolean =>
  hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
