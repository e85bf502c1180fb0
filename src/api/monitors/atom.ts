import type { MonitorChanged } from '../../events/monitors.ts'
import type { MatchRow } from '../../views/monitors/matches.ts'

interface AtomFeed {
  readonly monitor: Pick<MonitorChanged, 'monitor_id' | 'name' | 'created_at'>
  /** Newest first. */
  readonly matches: readonly MatchRow[]
  /** The authority of the ids. */
  readonly host: string
}

/**
 * The matches of a monitor as an Atom feed (RFC 4287). It has no link to itself, because its address contains a secret
 * and documents are passed on more readily than addresses.
 */
export function atomFeed({ monitor, matches, host }: AtomFeed): string {
  const [newest] = matches
  const day = new Date(monitor.created_at).toISOString().slice(0, 10)
  const id = `tag:${host},${day}:${monitor.monitor_id}`
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', id),
    element('title', monitor.name),
    element('updated', newest?.matched_at ?? new Date(monitor.created_at).toISOString()),
    '<author><name>Story Intelligence Service</name></author>',
    ...matches.map((match) => entry(match, id)),
    '</feed>\n',
  ].join('\n')
}

const entry = (match: MatchRow, feedId: string): string =>
  [
    '<entry>',
    element('id', `${feedId}/${match.id}`),
    element('title', match.title ?? 'Story without a title'),
    element('updated', match.matched_at),
    ...(match.source === null ? [] : [`<author>${element('name', match.source)}</author>`]),
    ...(isWebAddress(match.url) ? [`<link rel="alternate" href="${escaped(match.url)}"/>`] : []),
    `<content type="text">${escaped(described(match))}</content>`,
    '</entry>',
  ].join('\n')

const described = ({ article_count, origin_count, lifecycle_state, velocity }: MatchRow): string =>
  [
    counted(article_count, 'article'),
    counted(origin_count, 'independent source'),
    ...(lifecycle_state === null ? [] : [lifecycle_state]),
    `velocity ${Math.round(velocity * 10) / 10}`,
  ].join(', ')

const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`

/** Feed readers follow links, so only these are passed on. */
const isWebAddress = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url)

const element = (name: string, text: string): string => `<${name}>${escaped(text)}</${name}>`

/** Characters that XML 1.0 does not allow, even escaped. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string =>
  text.replace(NOT_XML, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
