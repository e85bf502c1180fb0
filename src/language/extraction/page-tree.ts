import { DomHandler, Parser } from 'htmlparser2'

export type PageTree = DomHandler['root']
export type PageNode = PageTree['children'][number]
export type PageElement = Extract<PageNode, { readonly attribs: unknown }>

/** Scripts that write a word in one or two characters. */
const WIDE_SCRIPTS = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

/** Whether a text is written in Chinese, Japanese or Korean characters. */
export const isWide = (text: string): boolean => WIDE_SCRIPTS.test(text)

/** The text of a text node; empty for other nodes. */
export const textOf = (node: PageNode | PageTree): string => (isText(node) ? node.data : '')

type PageText = Extract<PageNode, { readonly nodeType: 3 }>

export const isText = (node: PageNode | PageTree): node is PageText => node.nodeType === TEXT_NODE

/** `Node.TEXT_NODE` of the DOM standard. */
const TEXT_NODE = 3

export const isElement = (node: PageNode | PageTree): node is PageElement => 'attribs' in node

/** UTF-16 units of a page that are read; the rest is ignored. Article pages have 50,000 to 1,500,000. */
export const MAX_PAGE_CHARS = 5_000_000

/** Elements that are read. Pages of news have 500 to 8,000. */
export const MAX_ELEMENTS = 30_000

/** Depth of the tree. The parser's stack takes time in proportion to it for each element. */
export const MAX_DEPTH = 400

/** The parser can only stop between chunks, so that a chunk bounds what is read beyond a limit. */
const CHUNK_CHARS = 65_536

/**
 * The elements of a page. Reading stops at the limits above, so that time and memory are bounded for every input; the
 * tree then holds the elements before that point.
 */
export function pageTree(html: string): PageTree {
  const handler = new LimitedHandler()
  const parser = new Parser(handler, { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true })
  handler.stop = () => parser.pause()
  const end = Math.min(html.length, MAX_PAGE_CHARS)
  for (let at = 0; at < end && !handler.isFull; at += CHUNK_CHARS)
    parser.write(html.slice(at, Math.min(end, at + CHUNK_CHARS)))
  if (handler.isFull) handler.onend()
  else parser.end()
  return handler.root
}

class LimitedHandler extends DomHandler {
  isFull = false
  stop: () => void = () => undefined
  private elements = 0

  override onopentag(name: string, attributes: Record<string, string>): void {
    super.onopentag(name, attributes)
    if (++this.elements < MAX_ELEMENTS && this.tagStack.length < MAX_DEPTH) return
    this.isFull = true
    this.stop()
  }
}
