import { patternIn, patternsIn } from '../model-files.ts'

/** Names that need no more than one word: days and months, and what everybody calls so. */
const NO_PERSON = patternIn('summary/no-person')

const PRONOUN = /(?<![\p{L}'’])(?:he|she|his|her|hers|him|himself|herself|they|their|them)(?![\p{L}])/iu
const NAME = /\p{Lu}[\p{L}'’.-]*\p{L}/gu
const VERB = patternIn('summary/verb')
/** Enough small words of English: what is known of verbs and names here holds for no other language. */
const SMALL_WORDS = /\b(?:the|of|and|to|in|a|an|on|for|with|that|by|at|from|as)\b/giu
const MIN_SMALL_WORDS = 2
const QUOTATION = /“[^”]*”|"[^"]*"/gu

/**
 * Names of a text by their last word, so that "Clinton" is known where "Hillary Clinton" stands. Lower case.
 */
export const namesIn = (text: string): ReadonlySet<string> =>
  new Set((text.match(NAME) ?? []).map((name) => name.replace(/['’]s$/u, '').toLowerCase()))

/** Whether a pronoun stands before any name that it can refer to. */
export function hasLoosePronoun(sentence: string): boolean {
  const pronoun = PRONOUN.exec(sentence.replace(QUOTATION, ' '))
  if (pronoun === null) return false
  const before = sentence.replace(QUOTATION, ' ').slice(0, pronoun.index)
  return properNames(before).length === 0 && !/\b(?:the|a|an) \p{Ll}+/iu.test(before)
}

/** Whether the sentence begins with one word of a name that `known` does not have: a first name, or a stranger's last. */
export function beginsWithStranger(sentence: string, known: ReadonlySet<string>): boolean {
  const [first = '', second = ''] = sentence.replace(/^["“'‘(]+/u, '').split(/\s+/u)
  const word = first.replace(/['’]s$/u, '').replace(/[,;:]$/u, '')
  if (!isEnglish(sentence) || !/^\p{Lu}\p{Ll}+$/u.test(word) || NO_PERSON.test(word)) return false
  return !/^\p{Lu}/u.test(second) && !known.has(word.toLowerCase()) && !/(?:ly|ing|ed|s)$/u.test(word)
}

/** "Mr. Quill", "Quill, R-Fla.", and "Quill said" or "said Quill" behind the first word. */
const BY_SURNAME = patternsIn('summary/by-surname')

/** Whether somebody is called by one name that neither `known` nor the sentence itself has in full, outside quotations. */
export function namesStranger(sentence: string, known: ReadonlySet<string>): boolean {
  const own = sentence.replace(QUOTATION, ' ')
  const whole = namesIn((own.match(WHOLE_NAME) ?? []).join(' '))
  return BY_SURNAME.some((called) =>
    [...own.matchAll(called)].some(({ groups }) => {
      const name = (groups?.['name'] ?? '').replace(/['’]s$/u, '')
      return !NO_PERSON.test(name) && !known.has(name.toLowerCase()) && !whole.has(name.toLowerCase())
    }),
  )
}

/** A first name, or a title that says who somebody is, and a last name. */
const WHOLE_NAME = /(?<!\p{L})(?!(?:Mr|Mrs|Ms|Miss|Dr)\b)\p{Lu}[\p{L}.'’-]*(?: \p{Lu}\.)? \p{Lu}[\p{L}'’-]+/gu

/** Things that a text speaks of as known: "the bill", "the ruling". */
const KNOWN_THING = patternIn('summary/known-thing')

/** Whether the sentence begins with "the bill" or the like where no word of `said` says which one. */
export function beginsWithUnknownThing(sentence: string, said: string): boolean {
  const thing = KNOWN_THING.exec(sentence)?.groups?.['thing']?.toLowerCase().replace(/s$/u, '')
  return thing !== undefined && isEnglish(sentence) && !said.toLowerCase().includes(thing)
}

/** Proper names behind the first word, days and months apart. */
export const properNames = (sentence: string): readonly string[] =>
  (sentence.match(NAME) ?? []).filter((name) => !NO_PERSON.test(name))

/** No finite verb that shows: a caption or a heading. */
export const isFragment = (sentence: string): boolean => isEnglish(sentence) && !VERB.test(sentence)

/** Whether the sentence can be judged by English words at all. */
export const isEnglish = (sentence: string): boolean => (sentence.match(SMALL_WORDS)?.length ?? 0) >= MIN_SMALL_WORDS
