import { wellFormed } from '../../domain/intake/articles.ts'
import { parsedUrl } from '../../events/canonical-url.ts'

/** RFC 9309, 2.5: at least 500 KiB must be parsed. The rest is ignored. */
const MAX_ROBOTS_CHARACTERS = 500 * 1024

export interface RobotsRules {
  /** Whether a path with its query, such as `/news?page=2`, may be requested. */
  readonly allows: (path: string) => boolean
  /** Seconds between two requests (`Crawl-delay`, not part of RFC 9309); `null` if the site names none. */
  readonly crawlDelaySeconds: number | null
  /** The URLs of the site's sitemaps as written. */
  readonly sitemaps: readonly string[]
}

/** The response to `/robots.txt`. */
export interface RobotsResponse {
  /** `null` if there is no text. */
  readonly text: string | null
  /** Status after redirects; `null` if there was no response. */
  readonly status: number | null
}

/**
 * The rules of a site for one crawler (RFC 9309). Status 4xx means no restrictions, and so do redirects without an end
 * (2.3.1.2, 2.3.1.3). Status 5xx and no response mean that nothing may be requested for now (2.3.1.4). `productToken` is
 * the name of the crawler without its version.
 */
export function robotsRules({ text, status }: RobotsResponse, productToken: string): RobotsRules {
  if (status === null || status >= 500) return { allows: () => false, crawlDelaySeconds: null, sitemaps: [] }
  const lines = status >= 200 && status < 300 ? linesOf(text) : []
  const { rules, crawlDelaySeconds } = groupFor(lines, productToken.toLowerCase())
  return { allows: (path) => isAllowed(path, rules), crawlDelaySeconds, sitemaps: sitemapLines(lines) }
}

/** Where sites put sitemaps. News sitemaps come first: they contain the articles of the last two days. */
const COMMON_SITEMAP_PATHS = ['/sitemap_news.xml', '/news-sitemap.xml', '/sitemap.xml']

/**
 * The sitemaps that a robots.txt names (sitemaps.org/protocol.html#submit_robots), then common paths. `url` is any page
 * of the site; it resolves relative lines.
 */
export function sitemapsIn(robotsTxt: string | null, url: string): readonly string[] {
  const links = [...sitemapLines(linesOf(robotsTxt)), ...COMMON_SITEMAP_PATHS]
  const found = links.map((link) => parsedUrl(link, parsedUrl(url)?.origin))
  return [...new Set(found.flatMap((link) => (link !== null && /^https?:$/.test(link.protocol) ? [link.href] : [])))]
}

interface Line {
  /** Lower case. */
  readonly field: string
  readonly value: string
}

function linesOf(text: string | null): readonly Line[] {
  const lines = text?.slice(0, MAX_ROBOTS_CHARACTERS).split(/\r\n|\r|\n/) ?? []
  return lines.flatMap((line) => {
    const [written = ''] = line.split('#', 1)
    const colon = written.indexOf(':')
    const field = written
      .slice(0, colon)
      .replace(/^\ufeff/, '')
      .trim()
      .toLowerCase()
    return colon < 1 ? [] : [{ field, value: written.slice(colon + 1).trim() }]
  })
}

const sitemapLines = (lines: readonly Line[]): readonly string[] =>
  lines.flatMap(({ field, value }) => (field === 'sitemap' && value !== '' ? [value] : []))

interface RobotsRule {
  readonly allow: boolean
  readonly pattern: string
}

interface Group {
  readonly rules: readonly RobotsRule[]
  readonly crawlDelaySeconds: number | null
}

/** All groups of the crawler as one; if there are none, those of `*` (2.2.1). */
function groupFor(lines: readonly Line[], token: string): Group {
  const groups = groupsOf(lines)
  const own = groups.filter(({ agents }) => agents.includes(token))
  const chosen = (own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))).flatMap(
    (group) => group.lines,
  )
  const delay = chosen.find(({ field }) => field === 'crawl-delay')?.value ?? ''
  return {
    rules: chosen.flatMap(({ field, value }) =>
      field !== 'crawl-delay' && value !== '' ? [{ allow: field === 'allow', pattern: normalised(value) }] : [],
    ),
    crawlDelaySeconds: /^\d{1,6}(?:\.\d{1,3})?$/.test(delay) ? Number(delay) : null,
  }
}

interface AgentGroup {
  readonly agents: string[]
  readonly lines: Line[]
}

const IN_GROUP: ReadonlySet<string> = new Set(['allow', 'disallow', 'crawl-delay'])

/** A group is one or more `User-agent` lines and the rules after them. Other lines do not end it (2.2.4). */
function groupsOf(lines: readonly Line[]): readonly AgentGroup[] {
  const groups: AgentGroup[] = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (line.field === 'user-agent') {
      const agent = agentOf(line.value)
      if (last?.lines.length === 0) last.agents.push(agent)
      else groups.push({ agents: [agent], lines: [] })
    } else if (IN_GROUP.has(line.field)) last?.lines.push(line)
  }
  return groups
}

/** The product token: letters, `_` and `-`, compared without case. Text after it, such as a version, is ignored. */
const agentOf = (value: string): string => (value === '*' ? '*' : (/^[a-z_-]*/i.exec(value)?.[0] ?? '').toLowerCase())

/** The longest matching pattern decides; if an allow and a disallow are equally long, the allow (2.2.2). */
function isAllowed(path: string, rules: readonly RobotsRule[]): boolean {
  const target = normalised(path)
  let best: RobotsRule = { allow: true, pattern: '' }
  if (target === '/robots.txt') return true
  for (const rule of rules) {
    const { length } = rule.pattern
    const decides = length > best.pattern.length || (length === best.pattern.length && rule.allow)
    if (decides && matches(target, rule.pattern)) best = rule
  }
  return best.allow
}

/** `*` stands for any characters; `$` at the end for the end of the path (2.2.3). */
function matches(path: string, pattern: string): boolean {
  if (!pattern.endsWith('$')) return endOfMatch(path, pattern.split('*')) !== null
  const parts = pattern.slice(0, -1).split('*')
  const last = parts.pop() ?? ''
  if (parts.length === 0) return path === last
  const end = endOfMatch(path, parts)
  return end !== null && path.length - last.length >= end && path.endsWith(last)
}

/** Where the earliest match of all parts ends: the first at the start, each other one after the one before it. */
function endOfMatch(path: string, [start = '', ...parts]: readonly string[]): number | null {
  if (!path.startsWith(start)) return null
  let end = start.length
  for (const part of parts) {
    const found = path.indexOf(part, end)
    if (found < 0) return null
    end = found + part.length
  }
  return end
}

/** Percent-encoding in one form: unreserved characters decoded, others encoded, in upper case (2.2.2). */
const normalised = (path: string): string =>
  path
    .replace(/[^\u0000-\u007f]+/g, (text) => encodeURIComponent(wellFormed(text)))
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const character = String.fromCharCode(parseInt(code.slice(1), 16))
      return /[a-z0-9._~-]/i.test(character) ? character : code.toUpperCase()
    })
