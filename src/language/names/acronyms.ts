import type { KnownName } from './aliases.ts'
import type { NamedMention } from './mentions.ts'
import { isShouted } from './name-key.ts'

/** An organisation as an article names it. */
export interface Organisation {
  /** Without article, possessive and company form. */
  readonly name: string
  readonly key: string
  readonly words: readonly string[]
  readonly acronym: boolean
  readonly known: KnownName | undefined
}

const MOST_LETTERS = 8

/** One word of capitals, perhaps with stops: "ISPR", "U.N.". */
export const isAcronym = (name: string): boolean =>
  isShouted(name) && !name.includes(' ') && name.length <= 2 * MOST_LETTERS

/** First letters of the capitalised words, and of all words: "DJ" and "DOJ" of "Department of Justice". */
export function lettersOf({ name, words }: Organisation): readonly string[] {
  const capitals = name.match(/(?<![\p{L}\p{N}])\p{Lu}/gu)?.join('') ?? ''
  const all = words.map((word) => word.slice(0, 1).toUpperCase()).join('')
  return capitals === all ? [all] : [capitals, all]
}

/** Whether the letters head the other's words in their order, the first of them first, or all of them in another: "CEI". */
function fits(short: Organisation, long: Organisation): boolean {
  const letters = short.key.replaceAll(' ', '')
  return inOrder(letters, long) || lettersOf(long).some((each) => sorted(each.toLowerCase()) === sorted(letters))
}

const sorted = (letters: string): string => Array.from(letters).sort().join('')

function inOrder(letters: string, long: Organisation): boolean {
  let next = 0
  for (const word of long.words) if (word.startsWith(letters.slice(next, next + 1)) && next < letters.length) next++
  return next === letters.length && letters.length > 1 && long.words[0]?.startsWith(letters.slice(0, 1)) === true
}

/** Acronyms that the article itself explains in brackets, with what they stand for; one explained twice over is left out. */
export function definedAcronyms(
  mentions: readonly NamedMention[],
  read: readonly Organisation[],
): ReadonlyMap<string, Organisation> {
  const defined = new Map<string, Organisation | null>()
  for (let i = 1; i < read.length; i++) {
    const pair = explained(read[i - 1], read[i])
    if (pair === null || !isInBrackets(mentions[i - 1], mentions[i])) continue
    const before = defined.get(pair.short.key)
    defined.set(pair.short.key, before === undefined || before?.key === pair.long.key ? pair.long : null)
  }
  return new Map([...defined].flatMap(([key, long]) => (long === null ? [] : [[key, long] as const])))
}

function explained(one: Organisation | undefined, other: Organisation | undefined) {
  if (one === undefined || other === undefined || one.acronym === other.acronym) return null
  const [short, long] = one.acronym ? [one, other] : [other, one]
  return short.key !== long.key && fits(short, long) ? { short, long } : null
}

/** Of a name only its end is looked for: the text before the bracket is cut. */
const COMPARED = 20

function isInBrackets(outside: NamedMention | undefined, inside: NamedMention | undefined): boolean {
  const before = inside?.before?.trimEnd() ?? ''
  if (outside === undefined || !/[([]["“]?$/u.test(before)) return false
  const text = before.replace(/\s*[([]["“]?$/u, '')
  return text.endsWith(outside.surface.slice(-COMPARED))
}
