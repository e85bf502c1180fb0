import { BLOCK_TAGS } from './blocks.ts'
import { isElement, isText, type PageElement, type PageNode, type PageTree } from './page-tree.ts'

/**
 * A page for the extractor, and the elements of the page by the attribute `n` of its elements. Characters that would have
 * to be escaped are replaced, because only the number of characters counts: an entity costs the parser a node.
 */
export interface CleanedHtml {
  readonly html: string
  readonly elements: ReadonlyMap<string, PageElement>
  /** Number of elements written. */
  readonly size: number
}

/** A longer class or id has no meaning. */
const MAX_VALUE_CHARS = 500

/** Attributes that the extractor reads. */
const ATTRIBUTES = ['class', 'id', 'itemprop', 'dir', 'role'] as const

/** Writes a page as HTML without dropped elements, with the attributes that the extractor reads. */
export function cleanedHtml(tree: PageTree, isDropped: (element: PageElement) => boolean): CleanedHtml {
  const writing: Writing = { parts: [START], elements: new Map(), size: 0, isDropped }
  writeChildren(tree, writing)
  writing.parts.push(END)
  return { html: writing.parts.join(''), elements: writing.elements, size: writing.size }
}

const START = '<!doctype html><html><head><title></title></head><body>'
const END = '</body></html>'

interface Writing {
  readonly parts: string[]
  readonly elements: Map<string, PageElement>
  size: number
  readonly isDropped: (element: PageElement) => boolean
}

function writeChildren(parent: PageTree | PageElement, writing: Writing): void {
  for (const child of parent.children) {
    if (isText(child)) writing.parts.push(child.data.replace(/[<&]/g, '+'))
    else if (isElement(child) && !writing.isDropped(child)) write(child, writing)
  }
}

function write(element: PageElement, writing: Writing): void {
  const { name } = element
  writing.size++
  if (name === 'br' || name === 'hr') writing.parts.push(`<${name}>`)
  else if (name === 'html' || name === 'body') writeChildren(element, writing)
  else {
    const tag = tagOf(element)
    writing.parts.push(`<${tag}${attributesOf(element)}${numberOf(element, writing)}>`)
    writeChildren(element, writing)
    writing.parts.push(`</${tag}>`)
  }
}

/** A `div` without blocks is a paragraph. Readability would replace it, and its number with it. */
function tagOf(element: PageElement): string {
  if (element.name === 'div' && !element.children.some(hasBlock)) return 'p'
  return /^[a-z][a-z0-9-]*$/.test(element.name) ? element.name : 'span'
}

const hasBlock = (node: PageNode): boolean =>
  isElement(node) && (BLOCK_TAGS.has(node.name) || node.name === 'td' || node.children.some(hasBlock))

function numberOf(element: PageElement, { elements }: Writing): string {
  if (!BLOCK_TAGS.has(element.name)) return ''
  const number = elements.size.toString(36)
  elements.set(number, element)
  return ` n="${number}"`
}

function attributesOf({ attribs }: PageElement): string {
  const kept = ATTRIBUTES.map((name) => {
    const value = attribs[name]
    return value === undefined ? '' : ` ${name}="${value.slice(0, MAX_VALUE_CHARS).replace(/["<&]/g, '+')}"`
  })
  return kept.join('') + hrefOf(attribs['href'])
}

/** Only whether a link leaves the page counts. */
const hrefOf = (href: string | undefined): string =>
  href === undefined ? '' : ` href="${href.startsWith('#') ? '#' : 'x'}"`
