import { registrableHost } from '../../language/registrable-host.ts'

/** What may name the outlet of an article; `null`: it does not. */
export interface OutletClues {
  /** The owner of the feed. */
  readonly given: string | null
  /** The item in the feed: aggregators and news sitemaps name an outlet for each. */
  readonly item: string | null
  /** The page. */
  readonly page: string | null
  /** Most other pages of the site. */
  readonly site: string | null
  readonly feedTitle: string | null
  /** Of the page, or else of the feed. */
  readonly host: string
}

/**
 * The outlet of an article. Most articles of one outlet get one name, whether their text is from a page or from the
 * feed: the majority of the pages that were read names the outlet of those that were not, and the title of a feed loses
 * its section. A page that names another publisher keeps that, and pages that were read later may change the majority.
 */
export const outletName = ({ given, item, page, site, feedTitle, host }: OutletClues): string =>
  given ?? item ?? page ?? site ?? (feedTitle === null ? null : outletOfTitle(feedTitle, host)) ?? host

const SEPARATOR = /\s+[-–—|»›>·•:]+\s+|:\s+/u
const FEED_WORDS = /\s+(?:RSS(?:[ -]?Feeds?)?|Atom|Feeds?)$/iu
/** Parts that name a section or the feed, never an outlet. */
const SECTION =
  /^(?:the )?(?:(?:all|latest|top|breaking|recent|main|front|home|world|international|national|local|uk|us|europe|politics|business|economy|money|technology|tech|science|health|sports?|football|culture|arts|entertainment|opinion|life|travel|news|headlines|stories|articles|page|posts|updates|rss|atom|feeds?)[ &,]*)+$/iu

/**
 * The outlet in the title of a feed, which is often "Outlet - Section" or "Section | Outlet". It is the part that is
 * like the host name; otherwise the only part that names no section; otherwise the whole title.
 */
function outletOfTitle(title: string, host: string): string {
  const whole = title.replace(FEED_WORDS, '').trim()
  const parts = whole
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const named = parts.find((part) => isLikeHost(part, host))
  if (named !== undefined) return named
  const [first, ...others] = parts.filter((part) => !SECTION.test(part))
  return first !== undefined && others.length === 0 ? first : whole || title
}

const LEAST_LETTERS = 3

function isLikeHost(part: string, host: string): boolean {
  const [label = ''] = registrableHost(host.replace(/:\d+$/, '')).split('.')
  const [name, site] = [letters(part), letters(label)]
  if (Math.min(name.length, site.length) < LEAST_LETTERS) return false
  return name.includes(site) || site.includes(name)
}

const letters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
