import { attribute, type Element, elementOf, listOf, parseXml } from './xml.ts'

/** The feeds an OPML names, each once, however deep its folders; null when it is no OPML. */
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
