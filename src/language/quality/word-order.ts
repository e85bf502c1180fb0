import { wordList } from '../model-files.ts'

/** English words that no grammar lets meet. "the so", "a will", "by and" stand in news and are none of them. */

/** A noun must follow, sooner or later. */
export const DETERMINERS = wordList('quality/determiners')
/** What never follows a determiner at once. */
export const NOT_AFTER_DETERMINER = wordList('quality/not-after-determiner')

/** A phrase follows; no verb, no pronoun of a subject. */
export const PREPOSITIONS = wordList('quality/prepositions')
export const NOT_AFTER_PREPOSITION = wordList('quality/not-after-preposition')
/** No sentence ends with one. */
export const NEVER_LAST = wordList('quality/never-last')
