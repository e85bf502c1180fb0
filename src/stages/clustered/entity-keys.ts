import { count } from './terms.ts'
import { STOP_WORDS } from './tokens.ts'

/** Titles and forms of address. They precede a name but are not part of it. */
const TITLES: ReadonlySet<string> = new Set(
  'mr mrs ms dr sen rep gov gen president senator secretary judge justice sir lt col capt'.split(' '),
)

const CAPITALISED = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]*(?:['’.&-][\p{L}\p{N}]+)*/gu
/** White space, or one small word inside a name: University of Texas, Mohammed bin Salman. */
const JOINT = /^[^\S\n]+(?:(of|de|al|bin|von|van|del)[^\S\n]+)?$/u
const SENTENCE_END = /[.!?:;\n"“”•][^\p{L}\p{N}]*$/u

interface EntityKeysWord {
  /** The key: lower case, without 's. */
  readonly key: string
  readonly startsSentence: boolean
  /** The text that joins it to the word before: a space, or a small word between two. `null` if nothing joins them. */
  readonly joint: string | null
}

/**
 * Capitalised phrases (runs of capitalised words, in lower case) and how often each occurs. A phrase of several words
 * also counts once under its last word (surname, head of the name), unless that word also occurs on its own.
 */
export function entityKeys(text: string): Map<string, number> {
  const found = capitalised(text)
  const inside = new Set(found.filter((word) => !word.startsSentence).map((word) => word.key))
  const names = phrases(found)
    .map(withoutFront)
    .filter((name) => isName(name, inside))
  const counts = count(names.map(asKey))
  for (const name of names) {
    const head = name.at(-1)?.key ?? ''
    if (!counts.has(head)) counts.set(head, 1)
  }
  return counts
}

/** A single word at the start of a sentence is a name only if the text also capitalises it elsewhere. */
function isName([first, second]: readonly EntityKeysWord[], inside: ReadonlySet<string>): boolean {
  return first !== undefined && (second !== undefined || !first.startsSentence || inside.has(first.key))
}

const asKey = (name: readonly EntityKeysWord[]): string =>
  name.map(({ key, joint }, i) => (i === 0 ? key : `${joint ?? ' '}${key}`)).join('')

function capitalised(text: string): EntityKeysWord[] {
  const found: EntityKeysWord[] = []
  let end = 0
  for (const match of text.matchAll(CAPITALISED)) {
    found.push(asWord(match[0], text.slice(end, match.index), found.at(-1)))
    end = match.index + match[0].length
  }
  return found
}

function asWord(word: string, gap: string, before: EntityKeysWord | undefined): EntityKeysWord {
  const abbreviated = before !== undefined && TITLES.has(before.key) && /^\.\s*$/.test(gap) // "Sen. Sanders"
  const opensText = before === undefined && !/[\p{L}\p{N}]/u.test(gap)
  return {
    key: word.replace(/['’]s$/iu, '').toLowerCase(),
    startsSentence: !abbreviated && (opensText || SENTENCE_END.test(gap)),
    joint: abbreviated ? ' ' : before === undefined ? null : jointOf(gap),
  }
}

function jointOf(gap: string): string | null {
  const found = JOINT.exec(gap)
  return found && (found[1] === undefined ? ' ' : ` ${found[1]} `)
}

function phrases(found: readonly EntityKeysWord[]): EntityKeysWord[][] {
  const runs: EntityKeysWord[][] = []
  for (const word of found) {
    if (word.joint === null) runs.push([word])
    else runs.at(-1)?.push(word)
  }
  return runs
}

/** Removes leading stop words and titles. */
function withoutFront(phrase: readonly EntityKeysWord[]): readonly EntityKeysWord[] {
  const first = phrase.findIndex(({ key }) => key.length > 1 && !STOP_WORDS.has(key) && !TITLES.has(key))
  return first < 0 ? [] : phrase.slice(first)
}
