import { wordList, wordPairs } from '../model-files.ts'

/** Words before a person's name that are not part of it; compared in lower case, without a full stop. */
export const TITLES = wordList('names/titles')

/** Words that make a longer title with one of those: "National Security Adviser", "House Speaker", "Attorney General". */
export const TITLE_PARTS = wordList('names/title-parts')

/** Titles that say whether a man or a woman follows. */
export const SEX_OF_TITLE: ReadonlyMap<string, 'f' | 'm'> = new Map([
  ...[...wordList('names/titles-of-men')].map((title) => [title, 'm'] as const),
  ...[...wordList('names/titles-of-women')].map((title) => [title, 'f'] as const),
])

/** Offices that one of two namesakes holds: "Sen. Kennedy" is the senator. The long form of a short one is its value. */
export const ROLES: ReadonlyMap<string, string> = new Map([
  ...[...wordList('names/roles')].map((role) => [role, role] as const),
  ...wordPairs('names/short-roles'),
])
