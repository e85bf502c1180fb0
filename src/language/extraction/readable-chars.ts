import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import type { CleanedHtml } from './cleaned-html.ts'
import type { PageElement } from './page-tree.ts'

/** The part of a DOM node that is read here; the project compiles without the types of browsers. */
interface LightNode {
  readonly nodeType: number
  readonly nodeValue: string | null
  readonly firstChild: LightNode | null
  readonly nextSibling: LightNode | null
  readonly getAttribute?: (name: string) => string | null
}

/** Readability takes more than proportional time. Cleaned pages of news have 100 to 3,000 elements. */
const MAX_READABLE_ELEMENTS = 6_000

const TEXT = 3

/** Their declarations need the types of browsers. */
const lightDom = { parseHTML } as unknown as { readonly parseHTML: (html: string) => { readonly document: LightNode } }
const LightReadability = Readability as unknown as new (
  document: LightNode,
  options: { keepClasses: boolean; disableJSONLD: boolean; serializer: (element: LightNode) => LightNode },
) => { parse(): { readonly content: LightNode | null } | null }

/**
 * Characters of text that Readability keeps of each element of a page; empty if it finds no article or the page is too large
 * for it. A text counts for
 * the nearest element with a number.
 */
export function readableChars({ html, elements, size }: CleanedHtml): ReadonlyMap<PageElement, number> {
  if (size > MAX_READABLE_ELEMENTS) return new Map()
  const { document } = lightDom.parseHTML(html)
  const options = { keepClasses: true, disableJSONLD: true, serializer: (element: LightNode) => element }
  const article = new LightReadability(document, options).parse()
  const chars = new Map<PageElement, number>()
  if (article?.content) count(article.content, { elements, chars })
  return chars
}

interface Counted {
  readonly elements: ReadonlyMap<string, PageElement>
  readonly chars: Map<PageElement, number>
}

function count(root: LightNode, counted: Counted): void {
  const visit = (parent: LightNode, owner: PageElement | undefined): void => {
    for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
      if (child.nodeType === TEXT) add(child, owner, counted)
      else visit(child, ownerOf(child, counted) ?? owner)
    }
  }
  visit(root, undefined)
}

const ownerOf = (node: LightNode, { elements }: Counted): PageElement | undefined =>
  elements.get(node.getAttribute?.('n') ?? '')

function add({ nodeValue }: LightNode, owner: PageElement | undefined, { chars }: Counted): void {
  if (owner !== undefined) chars.set(owner, (chars.get(owner) ?? 0) + (nodeValue ?? '').trim().length)
}
