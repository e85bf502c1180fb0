import type { ListedFeed } from '../../sources/feeds/parse-opml.ts'

/** Feeds of one origin, in a folder of their own. */
export interface FeedGroup {
  readonly title: string
  /** Where the addresses come from; `null` if unknown. */
  readonly source: string | null
  readonly feeds: readonly ListedFeed[]
}

/** Removes feeds that an earlier group has, then groups without feeds. */
export function distinctGroups(groups: readonly FeedGroup[]): readonly FeedGroup[] {
  const seen = new Set<string>()
  const isNew = ({ url }: ListedFeed): boolean => {
    const isFirst = !seen.has(url)
    seen.add(url)
    return isFirst
  }
  return groups.map((group) => ({ ...group, feeds: group.feeds.filter(isNew) })).filter(({ feeds }) => feeds.length > 0)
}

/** An OPML file with a folder per group. */
export function feedListText(title: string, groups: readonly FeedGroup[]): string {
  const sources = [...new Set(groups.flatMap(({ source }) => source?.split('; ') ?? []))]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<opml version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/">',
    '  <head>',
    `    <title>${escaped(title)}</title>`,
    ...(sources.length === 0 ? [] : [`    <dc:source>${escaped(sources.join('; '))}</dc:source>`]),
    '  </head>',
    '  <body>',
    ...groups.flatMap(folderLines),
    '  </body>',
    '</opml>',
    '',
  ].join('\n')
}

const folderLines = ({ title, feeds }: FeedGroup): readonly string[] => [
  `    <outline text="${escaped(title)}">`,
  ...feeds.map(
    ({ url, name }) => `      <outline type="rss" text="${escaped(name ?? url)}" xmlUrl="${escaped(url)}"/>`,
  ),
  '    </outline>',
]

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
