import { patternIn } from '../model-files.ts'
import { isElement, isText, isWide, type PageElement, type PageNode, type PageTree } from './page-tree.ts'

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Elements without text of the article. */
const DROPPED_TAGS = words(
  'script style noscript svg math iframe object embed canvas template map audio video picture img source track input ' +
    'select textarea button nav dialog figcaption head link meta datalist progress rp rt amp-ad amp-img amp-video ' +
    'amp-iframe amp-analytics amp-sidebar amp-consent',
)

/** Elements that are around an article unless they hold much of the page's prose. */
const AROUND_TAGS = words('footer aside form')

/** Roles of parts that are not content (landmarks and widgets of WAI-ARIA). */
const DROPPED_ROLES = words(
  'navigation complementary banner contentinfo dialog alertdialog alert menu menubar toolbar search tooltip tablist button',
)

const WHOLE_PAGE = words('html body main')

/** Names that only comments, embedded posts and lists of other articles have. */
const STRONG_NAMES = patternIn('page-parts/strong-names')
const NAMES = patternIn('page-parts/names')
const ARTICLE_NAMES = patternIn('page-parts/article-names')

/** Larger shares of the page's prose are kept. Some pages have `paywall` or `widget` on each paragraph. */
const MAX_SHARE = 0.3
const MAX_SHARE_OF_STRONG_NAMES = 0.6
const MAX_SHARE_OF_ONE_NAME = 0.45

/** Shorter texts are labels, not sentences. */
const MIN_SENTENCE_CHARS = 50
const MIN_WIDE_SENTENCE_CHARS = 20

/** Whether an element of the page is outside the article, by its tag, role, visibility and class. */
export function partsAround(tree: PageTree): (element: PageElement) => boolean {
  const prose = new Map<PageNode | PageTree, number>()
  const whole = Math.max(1, measure(tree, prose))
  const share: Share = (element) => (prose.get(element) ?? 0) / whole
  const dropped = new Set<PageElement>()
  const byName = new Map<string, PageElement[]>()
  collect(tree, { share, dropped, byName })
  for (const group of byName.values()) {
    const sum = group.reduce((total, element) => total + share(element), 0)
    if (sum <= MAX_SHARE_OF_ONE_NAME) group.forEach((element) => dropped.add(element))
  }
  return (element) => dropped.has(element)
}

/** Share of the page's prose in an element, from 0 to 1. */
type Share = (element: PageElement) => number

/** Characters of sentences, in and below each element. */
function measure(node: PageNode | PageTree, prose: Map<PageNode | PageTree, number>): number {
  if (isText(node)) return sentenceChars(node.data)
  if (!('children' in node) || (isElement(node) && (DROPPED_TAGS.has(node.name) || node.name === 'a'))) return 0
  let sum = 0
  for (const child of node.children) sum += measure(child, prose)
  prose.set(node, sum)
  return sum
}

function sentenceChars(text: string): number {
  const { length } = text.trim()
  return length >= MIN_SENTENCE_CHARS || (length >= MIN_WIDE_SENTENCE_CHARS && isWide(text)) ? length : 0
}

interface Collected {
  readonly share: Share
  readonly dropped: Set<PageElement>
  /** Elements by the word of their class that names them. */
  readonly byName: Map<string, PageElement[]>
}

function collect(parent: PageTree | PageElement, found: Collected): void {
  for (const child of parent.children) {
    if (!isElement(child)) continue
    const name = isAround(child, found.share) ? null : nameAround(child, found.share)
    if (name === null) found.dropped.add(child)
    else if (name === '') collect(child, found)
    else groupOf(name, found).push(child)
  }
}

function groupOf(name: string, { byName }: Collected): PageElement[] {
  const group = byName.get(name) ?? []
  byName.set(name, group)
  return group
}

function isAround(element: PageElement, share: Share): boolean {
  const { name, attribs } = element
  if (DROPPED_TAGS.has(name)) return true
  if (WHOLE_PAGE.has(name) || share(element) > MAX_SHARE) return false
  return AROUND_TAGS.has(name) || DROPPED_ROLES.has(attribs['role'] ?? '') || isHidden(attribs)
}

/** React streams parts into hidden elements `S:…` and shows them by script. */
const isHidden = (attribs: PageElement['attribs']): boolean =>
  (attribs['hidden'] !== undefined && !(attribs['id'] ?? '').startsWith('S:')) ||
  /display\s*:\s*none/i.test(attribs['style'] ?? '')

/** The word of a class or id that names a part around an article; empty if there is none. */
function nameAround(element: PageElement, share: Share): string {
  const named = namesOf(element)
  const strong = firstGroup(STRONG_NAMES, named)
  if (strong !== '') return share(element) > MAX_SHARE_OF_STRONG_NAMES ? '' : strong
  return share(element) > MAX_SHARE || ARTICLE_NAMES.test(named) ? '' : firstGroup(NAMES, named)
}

const namesOf = ({ name, attribs }: PageElement): string =>
  WHOLE_PAGE.has(name) ? '' : `${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`.slice(0, MAX_NAME_CHARS)

const firstGroup = (pattern: RegExp, text: string): string => pattern.exec(text)?.[1]?.toLowerCase() ?? ''

const MAX_NAME_CHARS = 500
