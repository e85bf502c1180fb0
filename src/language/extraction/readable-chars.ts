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

const ELEMENT = 1
const TEXT = 3

/**
 * Characters of text that Readability keeps of each element of a page; empty if it finds no article. A text counts for
 * the nearest element with a number.
 */
export function readableChars({ html, elements }: CleanedHtml): ReadonlyMap<PageElement, number> {
  const { document } = parseHTML(html)
  const article = new Readability<LightNode>(document, {
    keepClasses: true,
    disableJSONLD: true,
    serializer: (element) => element,
  }).parse()
  const chars = new Map<PageElement, number>()
  if (article?.content) count(article.content, { elements, chars })
  return chars
}

interface Counted {
  readonly elements: ReadonlyMap<string, PageElement>
  readonly chars: Map<PageElement, number>
}

function count(root: LightNode, { elements, chars }: Counted): void {
  const visit = (parent: LightNode, owner: PageElement | undefined): void => {
    for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
      if (child.nodeType === ELEMENT) visit(child, elements.get(child.getAttribute?.('n') ?? '') ?? owner)
      else if (child.nodeType === TEXT && owner !== undefined) {
        chars.set(owner, (chars.get(owner) ?? 0) + (child.nodeValue ?? '').trim().length)
      }
    }
  }
  visit(root, undefined)
}
