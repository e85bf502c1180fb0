import { isElement, isText, type PageElement, type PageNode, type PageTree } from './page-tree.ts'

/** Elements that start and end a paragraph. */
export const BLOCK_TAGS = new Set(
  (
    'address article aside blockquote body center dd details div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hr html li main ol p pre section summary table tbody tfoot thead tr ul'
  ).split(' '),
)

/** A paragraph of the page. */
export interface Block {
  /** The nearest element that starts a paragraph. */
  readonly element: PageElement | null
  /** White space is collapsed. */
  readonly text: string
  /** Share of the text in links, from 0 to 1. */
  readonly linked: number
}

/** The paragraphs of a page in their order, without empty ones and without elements that `isDropped` names. */
export function blocksOf(tree: PageTree, isDropped: (element: PageElement) => boolean): readonly Block[] {
  const walker = new BlockWalker(isDropped)
  walker.children(tree)
  walker.flush(null)
  return walker.blocks
}

class BlockWalker {
  readonly blocks: Block[] = []
  private readonly isDropped: (element: PageElement) => boolean
  private element: PageElement | null = null
  private parts: string[] = []
  private linked = 0
  private linkDepth = 0

  constructor(isDropped: (element: PageElement) => boolean) {
    this.isDropped = isDropped
  }

  children(parent: PageTree | PageElement): void {
    for (const child of parent.children) this.node(child)
  }

  flush(next: PageElement | null): void {
    const text = this.parts.join('').replace(/\s+/g, ' ').trim()
    if (text !== '') this.blocks.push({ element: this.element, text, linked: Math.min(1, this.linked / text.length) })
    this.element = next
    this.parts = []
    this.linked = 0
  }

  private node(node: PageNode): void {
    if (isText(node)) this.text(node.data)
    else if (isElement(node) && !this.isDropped(node)) this.inside(node)
  }

  private text(data: string): void {
    this.parts.push(data)
    if (this.linkDepth > 0) this.linked += data.trim().length
  }

  private inside(element: PageElement): void {
    const { name } = element
    if (name === 'br') this.lineBreak(element)
    else if (BLOCK_TAGS.has(name)) this.block(element)
    else if (name === 'td' || name === 'th') this.cell(element)
    else if (name === 'a') {
      this.linkDepth++
      this.children(element)
      this.linkDepth--
    } else this.children(element)
  }

  private block(element: PageElement): void {
    const outer = this.element
    this.flush(element)
    this.children(element)
    this.flush(outer)
  }

  private cell(element: PageElement): void {
    this.parts.push(' ')
    this.children(element)
    this.parts.push(' ')
  }

  /** Two line breaks start a paragraph. */
  private lineBreak(element: PageElement): void {
    this.parts.push(' ')
    let next = element.nextSibling
    while (next !== null && isText(next) && next.data.trim() === '') next = next.nextSibling
    if (next !== null && isElement(next) && next.name === 'br') this.flush(this.element)
  }
}
