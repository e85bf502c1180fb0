const words = (list: string): readonly string[] => list.trim().split(/\s+/u)

/** English words that no grammar lets meet. "the so", "a will", "by and" stand in news and are none of them. */

/** A noun must follow, sooner or later. */
export const DETERMINERS = words('the a an their its every your our my')
/** What never follows a determiner at once. */
export const NOT_AFTER_DETERMINER = words(`the an their its every your our my of to and that is was for with as he it at
  by from be are has have had but they or were been she if we`)

/** A phrase follows; no verb, no pronoun of a subject. */
export const PREPOSITIONS = words('of from with at by into')
export const NOT_AFTER_PREPOSITION = words('of is was are were has had have be they he she')
/** No sentence ends with one. */
export const NEVER_LAST = words('the a an its their every our your my and or')
