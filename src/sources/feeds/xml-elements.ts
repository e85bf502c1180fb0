import { XMLParser } from 'fast-xml-parser'

/** An XML element: children and attributes (`@name`) by name, its own text as `#text`. */
export type Element = Readonly<Record<string, unknown>>

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  htmlEntities: true,
  // Text constructs may contain mark-up whose order matters, so they are kept unparsed.
  stopNodes: ['feed.entry.content', 'feed.entry.summary'],
})

/** `null` if the text is not XML. */
export function parseXml(xml: string): Element | null {
  try {
    return elementOf(parser.parse(xml))
  } catch {
    return null // not well-formed enough to be a feed
  }
}

export const elementOf = (value: unknown): Element | null => (isElement(value) ? value : null)

const isElement = (value: unknown): value is Element =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One or many elements as a list. Plain texts become elements. */
export function listOf(value: unknown): readonly Element[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return values.map((one) => elementOf(one) ?? { '#text': one })
}

/** The text of an element, or of the first one if there are several. */
export function textOf(value: unknown): string | null {
  const text = listOf(value)[0]?.['#text']
  return typeof text === 'string' ? text.trim() : null
}

export function attribute(element: Element | null | undefined, name: string): string | null {
  const value = element?.[`@${name}`]
  return typeof value === 'string' ? value.trim() : null
}
