import { patternsIn } from '../model-files.ts'
import type { Block } from './blocks.ts'
import { isProse } from './select-blocks.ts'

/** Whole paragraphs that ask the reader to do something or lead to other articles. */
const PROMPTS = patternsIn('page-parts/prompts')
const CAPTIONS = patternsIn('page-parts/captions')
const MOMENTS = patternsIn('page-parts/moments')
const RELATED_HEADINGS = patternsIn('page-parts/related-headings')
const BIOGRAPHIES = patternsIn('page-parts/biographies')

/** Longer paragraphs are never a prompt, a caption or a biography. */
const MAX_NOTE_CHARS = 600
const MAX_HEADING_CHARS = 70
/** A biography is one of the last paragraphs. */
const LAST_BLOCKS = 3
/** A paragraph with a larger share of links leads to other articles. */
const MAX_LINKED = 0.8
const MIN_LINK_CHARS = 12
const MIN_REPEATED_CHARS = 20
const MIN_FIRST_SENTENCE_CHARS = 40

const SENTENCE_END = /[.!?…:;。！？।؟]["”'’»)\]]*$/u

/** Paragraphs without titles, repetitions, related links, prompts, captions, times and biographies. */
export function articleBlocks(blocks: readonly Block[], titles: readonly string[]): readonly Block[] {
  const notRepeated = withoutRepetitions(blocks, new Set(titles.map(folded)))
  const text = notRepeated.filter((block) => !isNote(block) && !isRelatedLink(block) && !isRelatedHeading(block))
  const trimmed = withoutEnds(text)
  return trimmed.filter((block, at) => at < trimmed.length - LAST_BLOCKS || !matches(BIOGRAPHIES, block.text))
}

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

function withoutRepetitions(blocks: readonly Block[], titles: ReadonlySet<string>): readonly Block[] {
  const seen = new Set<string>()
  return blocks.filter(({ text }) => {
    const key = folded(text)
    const isRepeated = key === '' || titles.has(key) || (key.length > MIN_REPEATED_CHARS && seen.has(key))
    seen.add(key)
    return !isRepeated
  })
}

const matches = (patterns: readonly RegExp[], text: string): boolean =>
  text.length < MAX_NOTE_CHARS && patterns.some((pattern) => pattern.test(text))

const isNote = ({ text }: Block): boolean => [PROMPTS, CAPTIONS, MOMENTS].some((patterns) => matches(patterns, text))

const isHeading = ({ element }: Block): boolean => /^h[1-6]$/.test(element?.name ?? '')

const isRelatedLink = (block: Block): boolean =>
  block.linked >= MAX_LINKED && block.text.length > MIN_LINK_CHARS && !isHeading(block)

const isRelatedHeading = (block: Block): boolean =>
  block.text.length < MAX_HEADING_CHARS &&
  (isHeading(block) || !SENTENCE_END.test(block.text)) &&
  matches(RELATED_HEADINGS, block.text)

/** Removes labels before the first sentence and after the last one. */
function withoutEnds(blocks: readonly Block[]): readonly Block[] {
  const first = blocks.findIndex(
    (block) => isProse(block) || (SENTENCE_END.test(block.text) && block.text.length > MIN_FIRST_SENTENCE_CHARS),
  )
  const last = blocks.findLastIndex(
    (block) => isProse(block) || SENTENCE_END.test(block.text) || block.element?.name === 'li',
  )
  return blocks.slice(Math.max(0, first), last < 0 ? undefined : last + 1)
}
