import { LRUCache } from 'lru-cache'
import { registrableHost } from '../../language/registrable-host.ts'

const MOST_SITES = 20_000
/** Pages of one site name different publishers: none of them is that of a page that was not read. */
const SEVERAL = Symbol('several')

/** The publisher that the pages of a site name, by the pages that this process has read. */
export class SitePublishers {
  private readonly known = new LRUCache<string, string | typeof SEVERAL>({ max: MOST_SITES })

  /** A page of the host named its publisher. */
  observe(host: string, publisher: string): void {
    const site = siteOf(host)
    const before = this.known.get(site)
    this.known.set(site, before === undefined || before === publisher ? publisher : SEVERAL)
  }

  /** `null` if no page of the site named one, or pages named different ones. */
  of(host: string): string | null {
    const found = this.known.get(siteOf(host))
    return typeof found === 'string' ? found : null
  }
}

/** `host` may have a port. */
const siteOf = (host: string): string => registrableHost(host.replace(/:\d+$/, ''))
