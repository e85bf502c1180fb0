import { parsedUrl } from '../../events/canonical-url.ts'

/** Publishers, as listed in `models/publishers`. */
export interface Publishers {
  /** By domain without `www.`; a sub-domain belongs to its domain unless it has its own entry. */
  readonly domains: ReadonlyMap<string, PublishingHouse>
  /** By name in lower case, without "the". */
  readonly names: ReadonlyMap<string, PublishingHouse>
  /** Domains that carry articles of other outlets, for which the source name identifies the outlet. */
  readonly carriers: ReadonlySet<string>
}

interface PublishingHouse {
  /** The outlet: one spelling for all its names, in lower case, without "the"; empty if unknown. */
  readonly publisher: string
  /** The group whose outlets reprint each other's articles; `null` if none is known. */
  readonly family: string | null
}

/** Reads the contents of `families.tsv` and `carriers.txt`. Throws an error that names the faulty line. */
export function parsePublishers(families: string, carriers: string): Publishers {
  const domains = new Map<string, PublishingHouse>()
  const names = new Map<string, PublishingHouse>()
  for (const [i, line] of linesOf(families).slice(1).entries()) {
    const { publisher, ownDomains, outletNames } = outletOf(line, i + 2)
    for (const domain of ownDomains) add(domains, domain, publisher)
    for (const name of outletNames) add(names, normalised(name), publisher)
  }
  return { domains, names, carriers: new Set(linesOf(carriers)) }
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

const LINE = /^([^\t]*)\t([^\t]+)\t([^\t]*)\t(yes|no)\t([^\t]*)$/u

function outletOf(line: string, number: number) {
  const cells = LINE.exec(line)
  if (cells === null) {
    throw new Error(
      `models/publishers/families.tsv, line ${number}: expected family, outlet, domains, yes or no, names`,
    )
  }
  const [family = '', outlet = '', domains = '', alone, others = ''] = cells.slice(1)
  const publisher: PublishingHouse = { publisher: normalised(outlet), family: family === '' ? null : family }
  const outletNames = [...(alone === 'yes' ? [outlet] : []), ...others.split(';')]
  const ownDomains = domains.split(' ').filter(Boolean)
  return { publisher, ownDomains, outletNames: outletNames.filter((name) => name.trim() !== '') }
}

/** Throws if two outlets share a name or domain, because the result would then depend on their order. */
function add(to: Map<string, PublishingHouse>, key: string, publisher: PublishingHouse): void {
  const existing = to.get(key)
  if (existing !== undefined && existing.publisher !== publisher.publisher) {
    throw new Error(`models/publishers: ${key} is both ${existing.publisher} and ${publisher.publisher}`)
  }
  to.set(key, publisher)
}

const normalised = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^the (?=.)/u, '')

/**
 * The publisher of an article. The domain of the URL decides, because anyone can write a source name; without a URL, or
 * for a carrier's domain, the name decides. An outlet that is not in the table is identified by its name, or else by
 * its domain.
 */
export function publisherOf(
  { source, url }: { readonly source: string | null; readonly url: string | null },
  known: Publishers,
): PublishingHouse {
  const name = source?.trim() ?? ''
  const host = hostOf(url) ?? hostOf(`https://${name}`)
  const spellings = spellingsOf(name)
  const byName = spellings.map((spelling) => known.names.get(spelling)).find((found) => found !== undefined)
  const found =
    host === null || domainsOf(host).some((one) => known.carriers.has(one)) ? byName : entryOfHost(host, known.domains)
  return found ?? { publisher: unlisted(byName, spellings, host), family: null }
}

/** The name in the table's spelling, otherwise the source name without suffixes, otherwise the registered domain. */
const unlisted = (byName: PublishingHouse | undefined, spellings: readonly string[], host: string | null): string =>
  byName?.publisher ?? spellings.at(-1) ?? (host === null ? '' : registeredDomain(host))

/** The source name in lower case, with and without suffixes such as "(Opinion)"; empty if there is no name. */
function spellingsOf(source: string): readonly string[] {
  const whole = normalised(source)
  const cut = whole
    .replace(/\s*\([^)]*\)$/u, '')
    .replace(/\s+[-–|]\s+(?:news|opinion|editorial|online)$/u, '')
    .trim()
  return [whole, cut].filter((name) => name !== '')
}

function hostOf(address: string | null): string | null {
  const url = address === null ? null : parsedUrl(address)
  if (url === null) return null
  const host = url.hostname.toLowerCase().replace(/^(?:www\d?|m|amp|mobile)\.(?=[^.]+\.)/u, '')
  return /\.[a-z]/u.test(host) ? host : null
}

/** The domain and its parent domains, the nearest first: `edition.cnn.com`, then `cnn.com`. */
function domainsOf(host: string): readonly string[] {
  const labels = host.split('.')
  return labels.slice(1).map((_, from) => labels.slice(from).join('.'))
}

/** The table entry of a host or of its nearest parent domain. */
export const entryOfHost = <Found>(host: string, domains: ReadonlyMap<string, Found>): Found | undefined =>
  domainsOf(host)
    .map((domain) => domains.get(domain))
    .find((found) => found !== undefined)

const SECOND_LEVEL = /^(?:com?|org|net|gov|edu|ac|or|ne|go)$/u

/** `bbc.co.uk` of `news.bbc.co.uk`. */
function registeredDomain(host: string): string {
  const labels = host.split('.')
  const [second = '', top = ''] = labels.slice(-2)
  return labels.slice(top.length === 2 && SECOND_LEVEL.test(second) ? -3 : -2).join('.')
}
