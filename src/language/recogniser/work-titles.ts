import { wordList } from '../model-files.ts'
import { caseClass, isCapitalised } from './shapes.ts'
import type { WordSpan } from './tags.ts'

/** Words that say that a title of a work stands beside them; compared in lower case. */
const WORKS = wordList('recogniser/works')

/** Words between the kind of work and its title: "the film, released in 2016, "Hillary's America"". */
const NEAR = 4
/** Words of a title in quotation marks. */
const LONGEST_TITLE = 14

const OPENING = /^["“”'‘«„]+$|^``$/u
const CLOSING = /^["”’'»“]+$|^''$/u

/**
 * Whether a person's name is part of the title of a work, "the film 'Hillary's America'": then nobody is spoken of. It
 * stands with other words in quotation marks, all of them capitalised but small ones, or begins a title that a possessive
 * or a colon goes on ("the documentary Hillary: The Movie"), and a word for a work is near.
 */
export function isInWorkTitle(words: readonly string[], { start, end }: WordSpan): boolean {
  const quoted = quotedAround(words, start, end)
  if (quoted === null) return goesOnAsTitle(words, end) && hasWork(words, start - NEAR, start)
  const [from, to] = quoted
  const alone = start === from && end === to
  return (
    !alone &&
    isTitleCase(words.slice(from, to)) &&
    (hasWork(words, from - 1 - NEAR, from) || hasWork(words, to, to + 1 + NEAR))
  )
}

const hasWork = (words: readonly string[], from: number, to: number): boolean =>
  words.slice(Math.max(0, from), to).some((word) => WORKS.has(word.toLowerCase()))

/** The words between the nearest quotation marks around a name; null: it is not in any. */
function quotedAround(
  words: readonly string[],
  start: number,
  end: number,
): readonly [from: number, to: number] | null {
  const opening = words.slice(0, start).findLastIndex((word) => OPENING.test(word))
  const length = words.slice(end).findIndex((_, i) => isClosing(words, end + i))
  const [from, to] = [opening + 1, end + length]
  return opening < 0 || length < 0 || to - from > LONGEST_TITLE ? null : [from, to]
}

/** An apostrophe before "s" ends no quotation. */
const isClosing = (words: readonly string[], at: number): boolean =>
  CLOSING.test(words[at] ?? '') && words[at + 1]?.toLowerCase() !== 's'

/** Words of four letters and more begin with a capital. */
const isTitleCase = (words: readonly string[]): boolean =>
  words.every((word) => !/^\p{L}{4,}/u.test(word) || isCapitalised(caseClass(word)))

/** A possessive or a colon, and then a capital. */
function goesOnAsTitle(words: readonly string[], end: number): boolean {
  const possessive = /^['’]$/u.test(words[end] ?? '') && words[end + 1]?.toLowerCase() === 's'
  const next = possessive ? words[end + 2] : words[end] === ':' ? words[end + 1] : undefined
  return next !== undefined && isCapitalised(caseClass(next))
}
