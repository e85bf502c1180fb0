import { phraseList, wordList } from '../model-files.ts'

/**
 * English of pages that sell, and that speak of themselves: cookie walls, paywalls, errors, menus. Compiled by hand for
 * this project; a word or pair stands here only if one sentence of news in five thousand or fewer has it (AllSides, page
 * furniture apart). Everyday words of trade, such as "fee" or "account", are none of them.
 */
export const SELDOM_IN_NEWS = wordList('quality/seldom-in-news')

/** The house and its reader. */
export const OWNERS = wordList('quality/owners')
/** What only shops and pages own: "your account", "our partners". */
export const OWNED = wordList('quality/owned')

/** What a page asks its reader to do, as a sentence's first word or after "please". */
export const COMMANDS = wordList('quality/commands')

export const PAIRS = phraseList('quality/pairs')
