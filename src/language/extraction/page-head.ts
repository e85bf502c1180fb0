import { isElement, textOf, type PageElement, type PageNode, type PageTree } from './page-tree.ts'

/** What a page says of itself outside its text. */
export interface PageHead {
  /** First value by name: `og:title`, `article:published_time`, `author` and others, in lower case. */
  readonly meta: ReadonlyMap<string, string>
  /** First value of microdata by property: `headline`, `datePublished` and others. */
  readonly microdata: ReadonlyMap<string, string>
  /** Several authors are several elements. */
  readonly authors: readonly string[]
  readonly jsonLd: readonly string[]
  readonly canonical: string | null
  readonly language: string | null
  readonly title: string | null
  readonly headings: readonly string[]
}

/** Reads metadata in one pass over the page. */
export function pageHead(tree: PageTree): PageHead {
  const reader = new HeadReader()
  reader.read(tree)
  return reader.head
}

const MAX_VALUE_CHARS = 2_000
const MAX_VALUES = 50

class HeadReader {
  readonly head = {
    meta: new Map<string, string>(),
    microdata: new Map<string, string>(),
    authors: [] as string[],
    jsonLd: [] as string[],
    canonical: null as string | null,
    language: null as string | null,
    title: null as string | null,
    headings: [] as string[],
  }

  read(parent: PageTree | PageElement): void {
    for (const child of parent.children) {
      if (!isElement(child)) continue
      this.element(child)
      this.properties(child)
      this.read(child)
    }
  }

  private element(element: PageElement): void {
    const { name, attribs } = element
    if (name === 'meta') this.meta(attribs)
    else if (name === 'link') this.link(attribs)
    else if (name === 'script') this.script(element)
    else if (name === 'h1') this.heading(element)
    else if (name === 'title') this.title(element)
    else if (name === 'html') this.language(attribs)
  }

  private language(attribs: PageElement['attribs']): void {
    this.head.language ??= attribs['lang'] ?? null
  }

  private heading(element: PageElement): void {
    if (this.head.headings.length < MAX_VALUES) this.head.headings.push(lineOf(element))
  }

  /** Drawings have titles, too. */
  private title(element: PageElement): void {
    if (!isInside(element, 'svg')) this.head.title ??= lineOf(element)
  }

  private script(element: PageElement): void {
    if (/ld\+json/i.test(element.attribs['type'] ?? '')) this.head.jsonLd.push(element.children.map(textOf).join(''))
  }

  private link(attribs: PageElement['attribs']): void {
    if (/^canonical$/i.test(attribs['rel'] ?? '')) this.head.canonical ??= attribs['href'] ?? null
  }

  private meta(attribs: PageElement['attribs']): void {
    const { content } = attribs
    const name = attribs['property'] ?? attribs['name'] ?? attribs['http-equiv']
    if (content === undefined || content.trim() === '' || name === undefined) return
    const key = name.trim().toLowerCase()
    if (!this.head.meta.has(key)) this.head.meta.set(key, content.trim().slice(0, MAX_VALUE_CHARS))
  }

  private properties(element: PageElement): void {
    const { itemprop, rel } = element.attribs
    if (itemprop === undefined && rel !== 'author') return
    const value = valueOf(element)
    if (value === '') return
    if (itemprop !== undefined && !this.head.microdata.has(itemprop)) this.head.microdata.set(itemprop, value)
    if (itemprop === 'author' || rel === 'author') this.author(element, value)
  }

  private author(element: PageElement, value: string): void {
    if (this.head.authors.length < MAX_VALUES) this.head.authors.push(authorIn(element, value))
  }
}

/** An author's element may have a biography; the name is marked in it. */
function authorIn(element: PageElement, value: string): string {
  const name = element.attribs['rel'] === 'author' ? undefined : firstWithin(element, 'name')
  return name === undefined ? value : valueOf(name)
}

function firstWithin(element: PageElement, property: string): PageElement | undefined {
  for (const child of element.children.filter(isElement)) {
    const found = child.attribs['itemprop'] === property ? child : firstWithin(child, property)
    if (found !== undefined) return found
  }
  return undefined
}

const valueOf = (element: PageElement): string =>
  (element.attribs['content'] ?? element.attribs['datetime'] ?? lineOf(element)).slice(0, MAX_VALUE_CHARS).trim()

function isInside(element: PageElement, name: string): boolean {
  const { parent } = element
  return parent !== null && 'attribs' in parent && (parent.name === name || isInside(parent, name))
}

/** The text of an element as one line, cut where no title or name is that long. */
function lineOf(element: PageElement): string {
  const parts: string[] = []
  let chars = 0
  const visit = (node: PageNode): void => {
    if (chars > MAX_VALUE_CHARS) return
    parts.push(textOf(node))
    chars += textOf(node).length
    if ('children' in node) node.children.forEach(visit)
  }
  visit(element)
  return parts.join('').replace(/\s+/g, ' ').trim()
}
