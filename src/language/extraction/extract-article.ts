import { plainText } from '../plain-text.ts'
import { articleBlocks } from './article-blocks.ts'
import { blocksOf } from './blocks.ts'
import { cleanedHtml } from './cleaned-html.ts'
import { articleJsonLd, textIn, type JsonLd } from './json-ld.ts'
import { pageHead, type PageHead } from './page-head.ts'
import { pageMetadata, type PageMetadata, type PageMetadataOptions } from './page-metadata.ts'
import { partsAround } from './page-parts.ts'
import { pageTree, type PageTree } from './page-tree.ts'
import { readableChars } from './readable-chars.ts'
import { isProse, selectBlocks } from './select-blocks.ts'

/** How the text of an article was found. */
export type ExtractionMethod =
  /** Readability chose the paragraphs. */
  | 'readability'
  /** The element with most of the page's prose. */
  | 'container'
  /** `articleBody` of the page's JSON-LD. */
  | 'json-ld'
  /** All prose of the page. */
  | 'fallback'
  /** The page has no text of an article. */
  | 'none'

export interface ExtractedArticle extends PageMetadata {
  /** Paragraphs separated by a blank line, without mark-up; empty if there is none. */
  readonly text: string
  readonly method: ExtractionMethod
}

/**
 * The article of a web page. Reads at most the first 5,000,000 UTF-16 units and 30,000 elements, never throws for bad
 * mark-up and takes time in proportion to the page.
 */
export function extractArticle(html: string, options: PageMetadataOptions): ExtractedArticle {
  const tree = pageTree(html)
  const head = pageHead(tree)
  const jsonLd = articleJsonLd(head.jsonLd)
  const metadata = pageMetadata(head, jsonLd, options)
  return { ...metadata, ...bodyOf(tree, titlesOf(head, metadata), jsonLd) }
}

const titlesOf = ({ headings, title, meta }: PageHead, metadata: PageMetadata): readonly string[] =>
  [metadata.title, title, meta.get('og:title'), meta.get('twitter:title'), ...headings].filter(
    (one): one is string => typeof one === 'string',
  )

interface Body {
  readonly text: string
  readonly method: ExtractionMethod
}

function bodyOf(tree: PageTree, titles: readonly string[], jsonLd: JsonLd): Body {
  const isDropped = partsAround(tree)
  const blocks = blocksOf(tree, isDropped)
  const selected = selectBlocks(blocks, readableChars(cleanedHtml(tree, isDropped)))
  const found = { text: joined(articleBlocks(selected.blocks, titles)), method: selected.method }
  const stated = statedText(jsonLd)
  if (stated.length > MIN_STATED_CHARS && isBetter(stated, found.text)) return { text: stated, method: 'json-ld' }
  if (found.text !== '') return found
  const prose = joined(articleBlocks(blocks.filter(isProse), titles))
  return prose === '' ? { text: '', method: 'none' } : { text: prose, method: 'fallback' }
}

const joined = (blocks: readonly { readonly text: string }[]): string => blocks.map(({ text }) => text).join('\n\n')

/** Shorter statements are summaries. */
const MIN_STATED_CHARS = 250

const statedText = (jsonLd: JsonLd): string => plainText(textIn(jsonLd['articleBody']) ?? '').replace(/\n+/g, '\n\n')

/** The page's own statement is used where the page has much less or nothing in common with it. */
function isBetter(stated: string, found: string): boolean {
  if (found.length < 0.5 * stated.length) return true
  const words = new Set(found.split(/\s+/))
  const own = stated.split(/\s+/)
  return own.filter((word) => words.has(word)).length < 0.5 * own.length
}
