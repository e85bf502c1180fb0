import { attribute, elementOf, listOf, parseXml, textOf, type Element } from './xml-elements.ts'

/** An OPML file: feeds at any depth, each address once. */
export interface FeedList {
  readonly title: string | null
  /** Where the addresses come from, `dc:source` of the head; `null` if the file does not say. */
  readonly source: string | null
  readonly feeds: readonly ListedFeed[]
}

export interface ListedFeed {
  readonly url: string
  /** Name of the outlet; `null` if the list gives none. */
  readonly name: string | null
}

/** `null` if the text is not OPML. */
export function parseFeedList(xml: string): FeedList | null {
  const opml = elementOf(parseXml(xml)?.['opml'])
  if (opml === null) return null
  const head = elementOf(opml['head'])
  const byUrl = new Map<string, ListedFeed>()
  for (const feed of feedsOf(listOf(elementOf(opml['body'])?.['outline'])))
    if (!byUrl.has(feed.url)) byUrl.set(feed.url, feed)
  return { title: textOf(head?.['title']), source: textOf(head?.['dc:source']), feeds: [...byUrl.values()] }
}

/** The feed URLs in an OPML file. `null` if it is not OPML. */
export const parseOpml = (xml: string): readonly string[] | null =>
  parseFeedList(xml)?.feeds.map(({ url }) => url) ?? null

const feedsOf = (outlines: readonly Element[]): ListedFeed[] =>
  outlines.flatMap((outline) => {
    const url = attribute(outline, 'xmlUrl')
    const name = attribute(outline, 'text') ?? attribute(outline, 'title')
    return [...(url === null ? [] : [{ url, name }]), ...feedsOf(listOf(outline['outline']))]
  })
