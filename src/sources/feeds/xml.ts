import { XMLParser } from 'fast-xml-parser'

/** An element: children and attributes (`@name`) by name, its own text as `#text`. */
export type Element = Readonly<Record<string, unknown>>

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  htmlEntities: true,
  // Text constructs may hold mark-up whose order matters: they stay as written.
  stopNodes: ['feed.entry.content', 'feed.entry.summary'],
})

/** Null when it is no XML at all. */
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

/** One element or many, as a list; texts become elements of their text. */
export function listOf(value: unknown): readonly Element[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return values.map((one) => elementOf(one) ?? { '#text': one })
}

/** The text of an element (of the first, where there are several). */
export function textOf(value: unknown): string | null {
  const text = listOf(value)[0]?.['#text']
  return typeof text === 'string' ? text.trim() : null
}

export function attribute(element: Element | undefined, name: string): string | null {
  const value = element?.[`@${name}`]
  return typeof value === 'string' ? value.trim() : null
}
