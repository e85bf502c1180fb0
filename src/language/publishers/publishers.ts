import { parsedUrl } from '../../events/canonical-url.ts'

/** Who publishes what, as `models/publishers` has it. */
export interface Publishers {
  /** By domain without `www.`; a sub-domain stands under its domain unless it has an entry of its own. */
  readonly domains: ReadonlyMap<string, PublishingHouse>
  /** By name in small letters, without "the". */
  readonly names: ReadonlyMap<string, PublishingHouse>
  /** Domains that carry other outlets' articles: there the name says whose it is. */
  readonly carriers: ReadonlySet<string>
}

interface PublishingHouse {
  /** The outlet: one spelling for all its names, in small letters without "the"; empty: nobody knows. */
  readonly publisher: string
  /** The group whose outlets print each other's articles; null: none that is known. */
  readonly family: string | null
}

/** Reads the texts of `families.tsv` and `carriers.txt`; what is wrong with a line is an error that names it. */
export function parsePublishers(families: string, carriers: string): Publishers {
  const domains = new Map<string, PublishingHouse>()
  const names = new Map<string, PublishingHouse>()
  for (const [i, line] of linesOf(families).slice(1).entries()) {
    const { publisher, own, called } = outletOf(line, i + 2)
    for (const domain of own) add(domains, domain, publisher)
    for (const name of called) add(names, bare(name), publisher)
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
  const publisher: PublishingHouse = { publisher: bare(outlet), family: family === '' ? null : family }
  const called = [...(alone === 'yes' ? [outlet] : []), ...others.split(';')]
  return { publisher, own: domains.split(' ').filter(Boolean), called: called.filter((name) => name.trim() !== '') }
}

/** Two outlets of one name or address would make it chance whose an article is. */
function add(to: Map<string, PublishingHouse>, key: string, publisher: PublishingHouse): void {
  const there = to.get(key)
  if (there !== undefined && there.publisher !== publisher.publisher) {
    throw new Error(`models/publishers: ${key} is both ${there.publisher} and ${publisher.publisher}`)
  }
  to.set(key, publisher)
}

const bare = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^the (?=.)/u, '')

/**
 * Whose an article is. The address decides where there is one, because anybody can write a name; only a carrier's address
 * says nothing. An outlet that is not in the table goes by its name, or else by its domain.
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
    host === null || upwards(host).some((domain) => known.carriers.has(domain)) ? byName : ofDomain(host, known.domains)
  return found ?? { publisher: unknown(byName, spellings, host), family: null }
}

/** The name in the table's spelling, or without what distinguishes its parts; the domain where there is no name. */
const unknown = (byName: PublishingHouse | undefined, spellings: readonly string[], host: string | null): string =>
  byName?.publisher ?? spellings.at(-1) ?? (host === null ? '' : registered(host))

/** As it stands, then with less and less of what outlets add to their names; none of an empty one. */
function spellingsOf(source: string): readonly string[] {
  const whole = bare(source)
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

/** The domain itself and whatever it stands under, the nearest first: `edition.cnn.com` stands under `cnn.com`. */
function upwards(host: string): readonly string[] {
  const labels = host.split('.')
  return labels.slice(1).map((_, from) => labels.slice(from).join('.'))
}

/** What a table says of a host, or of the nearest domain that it stands under. */
export const ofDomain = <Found>(host: string, domains: ReadonlyMap<string, Found>): Found | undefined =>
  upwards(host)
    .map((domain) => domains.get(domain))
    .find((found) => found !== undefined)

const SECOND_LEVEL = /^(?:com?|org|net|gov|edu|ac|or|ne|go)$/u

/** `bbc.co.uk` of `news.bbc.co.uk`. */
function registered(host: string): string {
  const labels = host.split('.')
  const [second = '', top = ''] = labels.slice(-2)
  return labels.slice(top.length === 2 && SECOND_LEVEL.test(second) ? -3 : -2).join('.')
}
