import { LRUCache } from 'lru-cache'
import { registrableHost } from '../../language/registrable-host.ts'

const MOST_SITES = 20_000
/** Further names of a site count only as pages with another name. */
const MOST_NAMES = 20

interface NamesOfSite {
  pages: number
  /** Pages that name each publisher. */
  readonly byName: Map<string, number>
}

/** The publisher that most pages of a site name, by the pages that this process has read. */
export class SitePublishers {
  private readonly known = new LRUCache<string, NamesOfSite>({ max: MOST_SITES })

  /** A page of the host named its publisher. */
  observe(host: string, publisher: string): void {
    const site = siteOf(host)
    const names = this.known.get(site) ?? { pages: 0, byName: new Map<string, number>() }
    const before = names.byName.get(publisher) ?? 0
    names.pages++
    if (before > 0 || names.byName.size < MOST_NAMES) names.byName.set(publisher, before + 1)
    this.known.set(site, names)
  }

  /** `null` if no page of the site named one, or none is named by more than half of the pages. */
  of(host: string): string | null {
    const names = this.known.get(siteOf(host))
    const [name] = [...(names?.byName ?? [])].find(([, count]) => 2 * count > (names?.pages ?? 0)) ?? []
    return name ?? null
  }
}

/** `host` may have a port. */
const siteOf = (host: string): string => registrableHost(host.replace(/:\d+$/, ''))
