import { count } from './terms.ts'
import { STOP_WORDS } from './tokens.ts'

/** Forms of address and office: they stand before a name and are none. */
const TITLES: ReadonlySet<string> = new Set(
  'mr mrs ms dr sen rep gov gen president senator secretary judge justice sir lt col capt'.split(' '),
)
/** Small words inside names: University of Texas, Mohammed bin Salman. */
const JOINERS: ReadonlySet<string> = new Set(['of', 'de', 'al', 'bin', 'von', 'van', 'del'])

const WORD = /\p{L}[\p{L}\p{N}]*(?:['’.&-][\p{L}\p{N}]+)*/gu

interface Word {
  /** As a key: lower case, without 's. */
  readonly key: string
  readonly capitalised: boolean
  readonly startsSentence: boolean
  /** Punctuation stands between it and the word before. */
  readonly cut: boolean
}

/**
 * Capitalised phrases and how often each occurs: runs of capitalised words, in lower case. A phrase of several words
 * also counts once under its last word (surname, head of the name), unless that stands there by itself anyway.
 */
export function entityKeys(text: string): Map<string, number> {
  const found = words(text)
  const inside = new Set(found.filter((w) => w.capitalised && !w.startsSentence).map((w) => w.key))
  const names = phrases(found)
    .map(withoutFront)
    .filter((name) => isName(name, inside))
  const counts = count(names.map((name) => name.map(({ key }) => key).join(' ')))
  for (const name of names) {
    const head = name.at(-1)?.key ?? ''
    if (!counts.has(head)) counts.set(head, 1)
  }
  return counts
}

/** A single word at the start of a sentence is a name only if the text capitalises it elsewhere too. */
function isName([first, second]: readonly Word[], inside: ReadonlySet<string>): boolean {
  return first !== undefined && (second !== undefined || !first.startsSentence || inside.has(first.key))
}

function words(text: string): Word[] {
  const found: Word[] = []
  let end = 0
  for (const match of text.matchAll(WORD)) {
    found.push(asWord(match[0], text.slice(end, match.index), found.at(-1)))
    end = match.index + match[0].length
  }
  return found
}

function asWord(word: string, gap: string, before: Word | undefined): Word {
  const abbreviated = before !== undefined && TITLES.has(before.key) && /^\.\s*$/.test(gap) // "Sen. Sanders" goes on
  return {
    key: word.replace(/['’]s$/iu, '').toLowerCase(),
    capitalised: /^\p{Lu}/u.test(word),
    startsSentence: before === undefined || (!abbreviated && /[.!?:;\n"“”•]/u.test(gap)),
    cut: !abbreviated && /\S|\n/u.test(gap),
  }
}

/** Runs of capitalised words, joined over the small words between two of them, cut by punctuation. */
function phrases(found: readonly Word[]): Word[][] {
  const runs: Word[][] = []
  let run: Word[] = []
  found.forEach((word, i) => {
    const joins = run.length > 0 && !word.cut && joinsNames(word, found[i + 1])
    if (word.capitalised && !word.cut) run.push(word)
    else if (joins) run.push(word)
    else {
      if (run.length > 0) runs.push(run)
      run = word.capitalised ? [word] : []
    }
  })
  return run.length > 0 ? [...runs, run] : runs
}

const joinsNames = (word: Word, next: Word | undefined): boolean =>
  JOINERS.has(word.key) && next !== undefined && next.capitalised && !next.cut

/** Drops stop words and titles from the front. */
function withoutFront(phrase: readonly Word[]): readonly Word[] {
  const first = phrase.findIndex(({ key }) => key.length > 1 && !STOP_WORDS.has(key) && !TITLES.has(key))
  return first < 0 ? [] : phrase.slice(first)
}
