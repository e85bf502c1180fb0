import { parsedUrl } from '../../events/canonical-url.ts'

/** Which pages of an archive are imported. */
export interface ArchiveFilter {
  /** Milliseconds since 1970, inclusive. */
  readonly since: number | null
  /** Milliseconds since 1970, exclusive. */
  readonly until: number | null
  /** In lower case, with their subdomains; all if empty. */
  readonly domains: readonly string[]
}

export function isOfDomain(url: string, domains: readonly string[]): boolean {
  if (domains.length === 0) return true
  const host = parsedUrl(url)?.hostname ?? ''
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
}

export const isInRange = (ms: number, { since, until }: ArchiveFilter): boolean =>
  (since === null || ms >= since) && (until === null || ms < until)

const DAY_MS = 86_400_000

/**
 * Whether everything on a page of this crawl is older than the range. Extraction accepts dates up to a day after the
 * crawl.
 */
export const isBeforeRange = (crawledAt: number, { since }: ArchiveFilter): boolean =>
  since !== null && crawledAt + DAY_MS < since
