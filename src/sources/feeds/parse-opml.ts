import { attribute, elementOf, listOf, parseXml, type Element } from './xml-elements.ts'

/** The feed URLs in an OPML file, at any depth, without duplicates. `null` if it is not OPML. */
export function parseOpml(xml: string): readonly string[] | null {
  const opml = elementOf(parseXml(xml)?.['opml'])
  if (opml === null) return null
  return [...new Set(feedsOf(listOf(elementOf(opml['body'])?.['outline'])))]
}

const feedsOf = (outlines: readonly Element[]): string[] =>
  outlines.flatMap((outline) => {
    const url = attribute(outline, 'xmlUrl')
    return [...(url === null ? [] : [url]), ...feedsOf(listOf(outline['outline']))]
  })
