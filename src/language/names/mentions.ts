import type { EntityType } from '../../events/articles.ts'
import { wordList, wordPairs } from '../model-files.ts'
import { capitalised } from '../recogniser/lexicon.ts'
import { isAllCapitals } from './name-key.ts'
import type { Sex } from './person-form.ts'

/** Titles before a person's name that are not part of it; compared in lower case, without a full stop. */
export const TITLES = wordList('names/titles')
/**
 * Words that form a longer title with one of these: "National Security Adviser", "House Speaker", "Attorney General".
 */
export const TITLE_PARTS = wordList('names/title-parts')

const SEX_OF_TITLE: ReadonlyMap<string, 'f' | 'm'> = new Map([
  ...[...wordList('names/titles-of-men')].map((title) => [title, 'm'] as const),
  ...[...wordList('names/titles-of-women')].map((title) => [title, 'f'] as const),
])

/** Offices that distinguish two namesakes: "Sen. Kennedy" is the senator. Short forms map to the long form. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ...[...wordList('names/roles')].map((role) => [role, role] as const),
  ...wordPairs('names/short-roles'),
])

export interface NamedMention {
  readonly type: EntityType
  readonly surface: string
  /** About 40 characters before the mention, which may end with titles or an opening bracket. */
  readonly before?: string
}

/** Canonical name and type of an entity. */
export interface CanonicalName {
  readonly type: EntityType
  readonly name: string
  /** `Q…`; `null` if the tables do not have it. */
  readonly wikidata_id: string | null
}

export interface Titles {
  readonly sex: Sex | null
  /** "Mr.", "Mrs.", "Ms.", "Miss": a surname follows, not a first name. */
  readonly formal: boolean
  /** The office in its long form, in lower case; `null` if no title is one. */
  readonly role: string | null
  /** The last title as written; empty if there is none. */
  readonly written: string
}

const COMPANY_FORM =
  /,? (?:Inc|Incorporated|Corp|Corporation|Ltd|Limited|LLC|L\.L\.C|LLP|Plc|PLC|Co|AG|SA|S\.A|NV|N\.V|SE|GmbH|S\.p\.A|SpA|ASA|Oyj|Pty|Bhd|Pte|PJSC|OJSC)\.?$/
const EDGE = /^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}.!?')\]’]+$/gu

/** A mention as written, with single spaces, and without article or punctuation around it. */
export const trimmedName = (surface: string): string =>
  (PLAIN.test(surface) ? surface : trimmed(surface)).replace(/^(?:the )+(?=\S)/i, '')

/** Most names match this and need no change. */
const PLAIN = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/

const trimmed = (surface: string): string => surface.normalize('NFC').replace(/\s+/gu, ' ').replace(EDGE, '')

/** "Harry Reid, D-Nev" without the party and state. */
export const withoutSeat = (name: string): string => name.replace(/,? \(?[RDI]-\p{Lu}\S*$/u, '')

export const withoutPossessive = (name: string): string => name.replace(/(?<=\S) ?['’][sS]?$/u, '')

/** "Apple, Inc." becomes "Apple", "Hana Co., Ltd." becomes "Hana"; "Co" alone stays. */
export function withoutCompanyForm(name: string): string {
  const shorter = name.replace(COMPANY_FORM, '')
  return shorter === name || shorter === '' ? name : withoutCompanyForm(shorter)
}

const bare = (word: string): string => word.toLowerCase().replace(/\.$/, '')

/** Splits "Sen. John McCain" into titles and name. A name that consists only of titles stays whole. */
export function splitTitles(name: string): { readonly titles: readonly string[]; readonly name: string } {
  const words = name.split(' ')
  let first = 0
  while (first < words.length - 1 && TITLES.has(bare(words[first] ?? ''))) first++
  return { titles: words.slice(0, first), name: words.slice(first).join(' ') }
}

/** The titles at the end of the text before a name. */
function titlesBefore(before: string): readonly string[] {
  const words = before.trimEnd().split(/\s+/u)
  let first = words.length
  while (first > 0 && TITLES.has(bare(words[first - 1] ?? ''))) first--
  return /\s$/u.test(before) ? words.slice(first) : []
}

export function titlesOf(within: readonly string[], before: string | undefined): Titles {
  const all = [...(before === undefined ? [] : titlesBefore(before)), ...within]
  const keys = all.map(bare)
  return {
    sex: keys.map((key) => SEX_OF_TITLE.get(key) ?? null).find((sex) => sex !== null) ?? null,
    formal: keys.some((key) => FORMAL.has(key)),
    role: ROLES.get(keys.findLast((key) => ROLES.has(key)) ?? '') ?? null,
    written: all.at(-1) ?? '',
  }
}

const FORMAL = new Set(['mr', 'mrs', 'ms', 'miss', 'mister', 'madam', 'monsieur', 'madame', 'herr', 'señor', 'señora'])

/** Converts "JEREMY CORBYN" to normal capitalisation. A single short word may be initials and stays: "JFK". */
export function withNormalCase(name: string): string {
  if (!isAllCapitals(name)) return name
  const longest = name.includes(' ') ? 1 : LONGEST_INITIALS
  return name.replace(/[\p{L}\p{M}]+/gu, (word) => (word.length <= longest || ACRONYM.test(word) ? word : asName(word)))
}

const LONGEST_INITIALS = 3
/** Words that stay in capitals, without a vowel or Roman numerals: "JD", "III". */
const ACRONYM = /^(?:[^AEIOUYÀ-Ý]{2,3}|I{2,3}|IV)$/u

const asName = (word: string): string =>
  capitalised(word).replace(/^Mc(\p{Ll})/u, (_, next: string) => `Mc${next.toUpperCase()}`)
