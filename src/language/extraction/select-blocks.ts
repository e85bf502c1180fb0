import type { Block } from './blocks.ts'
import { isWide, type PageElement } from './page-tree.ts'

/** Paragraphs of at least this many characters with few links are prose. */
const MIN_PROSE_CHARS = 80
const MIN_WIDE_PROSE_CHARS = 32
const MAX_LINKED_PROSE = 0.35

/** Whether a paragraph is prose, and not a label, heading or list of links. */
export const isProse = ({ text, linked }: Block): boolean =>
  linked < MAX_LINKED_PROSE && text.length >= (isWide(text) ? MIN_WIDE_PROSE_CHARS : MIN_PROSE_CHARS)

/** An extractor that found less than half of the page's prose has found one part of a split article. */
const MIN_GAIN = 2

/** Less prose than this share of the characters is a page of teasers. */
const MIN_PROSE_SHARE = 0.7

/** Share of the prose that the container of an article holds. */
const CONTAINER_SHARE = 0.7

/** Paragraphs between those that the extractor kept are added if they have fewer links than this. */
const MAX_LINKED_BETWEEN = 0.2
const TEXT_TAGS: ReadonlySet<string> = new Set(['p', 'li', 'blockquote', 'h2', 'h3'])

export interface SelectedBlocks {
  readonly blocks: readonly Block[]
  /** `readability` if its choice was used, `container` if the element with most of the prose was. */
  readonly method: 'readability' | 'container'
}

/** The paragraphs of the article, from the characters that an extractor kept of each element. */
export function selectBlocks(blocks: readonly Block[], kept: ReadonlyMap<PageElement, number>): SelectedBlocks {
  const isKept = keptBlocks(blocks, kept)
  const inside = insideContainer(blocks)
  const gain = proseChars(inside) / Math.max(1, proseChars(blocks.filter((_, at) => isKept[at])))
  const isArticle = proseChars(inside) > MIN_PROSE_SHARE * inside.reduce((sum, { text }) => sum + text.length, 0)
  if (gain > MIN_GAIN && isArticle) return { blocks: fromFirstToLastProse(inside), method: 'container' }
  return { blocks: withGaps(blocks, isKept), method: 'readability' }
}

/** Which blocks the extractor kept at least half of. */
function keptBlocks(blocks: readonly Block[], kept: ReadonlyMap<PageElement, number>): readonly boolean[] {
  const whole = new Map<PageElement | null, number>()
  for (const { element, text } of blocks) whole.set(element, (whole.get(element) ?? 0) + text.length)
  return blocks.map(({ element }) => element !== null && (kept.get(element) ?? 0) > 0.5 * (whole.get(element) ?? 0))
}

function withGaps(blocks: readonly Block[], isKept: readonly boolean[]): readonly Block[] {
  const first = isKept.indexOf(true)
  const last = isKept.lastIndexOf(true)
  const isGap = (block: Block, at: number): boolean =>
    at > first &&
    at < last &&
    isProse(block) &&
    block.linked < MAX_LINKED_BETWEEN &&
    TEXT_TAGS.has(block.element?.name ?? '')
  return blocks.filter((block, at) => isKept[at] === true || isGap(block, at))
}

const proseChars = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, block) => sum + (isProse(block) ? block.text.length : 0), 0)

/** The paragraphs of the deepest element with most of the page's prose. */
function insideContainer(blocks: readonly Block[]): readonly Block[] {
  const container = containerOf(blocks)
  return container === null ? [] : blocks.filter(({ element }) => ancestorsOf(element).includes(container))
}

const fromFirstToLastProse = (blocks: readonly Block[]): readonly Block[] =>
  blocks.slice(blocks.findIndex(isProse), blocks.findLastIndex(isProse) + 1).filter(({ linked }) => linked < 0.6)

function containerOf(blocks: readonly Block[]): PageElement | null {
  const prose = new Map<PageElement, number>()
  for (const block of blocks.filter(isProse)) {
    const above = ancestorsOf(block.element).slice(1)
    for (const element of above) prose.set(element, (prose.get(element) ?? 0) + block.text.length)
  }
  const whole = proseChars(blocks)
  const large = [...prose].filter(([, chars]) => chars >= CONTAINER_SHARE * whole)
  const [smallest] = large.toSorted(([a, left], [b, right]) => left - right || depth(b) - depth(a))
  return smallest?.[0] ?? null
}

const depth = (element: PageElement): number => ancestorsOf(element).length

/** An element and those that contain it, from the inside. */
function ancestorsOf(element: PageElement | null): readonly PageElement[] {
  const found: PageElement[] = []
  for (let at = element; at !== null; at = parentOf(at)) found.push(at)
  return found
}

function parentOf({ parent }: PageElement): PageElement | null {
  return parent !== null && 'attribs' in parent ? parent : null
}
