/** What a post may say outright. */
export type Outright = 'support' | 'deny'

const ABOUT_IT = '(?:this|that|it|story|report|article|news|photo|picture|video|claim)'

const DENIES = new RegExp(
  [
    '^(?:fake|false|hoax|lies?|a lie|nonsense|wrong|untrue|not true|debunked|misinformation|bullshit)\\b',
    `\\b${ABOUT_IT}(?:'s| is| was) (?:\\w+ ){0,2}(?:fake|false|hoax|lie|lies|untrue|wrong|nonsense|made up|misinformation|propaganda)\\b`,
    `\\b(?:not|isn't|isnt|wasn't) (?:even |at all )?true\\b`,
    `\\b(?:never|did not|didn't|didnt) happen(?:ed)?\\b`,
    `\\b(?:stop|are|is) (?:spreading )?(?:lying|lies)\\b`,
    '\\bfake news\\b',
    `\\bi (?:do not|don't|dont) believe (?:this|it|that|a word)\\b`,
  ].join('|'),
)

const AFFIRMS = new RegExp(
  [
    '^(?:yes|yep|true|confirmed|agreed?|exactly|correct|indeed|absolutely|well said|well done|spot on)\\b',
    `\\b${ABOUT_IT}(?:'s| is| was) (?:\\w+ )?(?:true|correct|confirmed|accurate|right)\\b`,
    '\\bi (?:can |do |fully |completely |totally )*(?:agree|confirm)\\b',
    '\\b(?:right|great|good|correct|wise) (?:decision|call)\\b',
    '\\b(?:is|are|been|officially|now) (?:\\w+ )?confirmed\\b',
  ].join('|'),
)

/** "It's not a hoax", "nobody confirmed it". */
const TURNED = /\b(?:not|no|never|n't|isn't|wasn't|nobody|nothing|without|if)\b/

/**
 * Whether a post calls what it speaks of true or untrue in so many words; null: it does not, it asks, or it takes it back
 * in the same breath. Labelled conversations hold too few of these for a model to learn them.
 */
export function outright(text: string): Outright | null {
  const said = text
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/^(?:@\w+[:,]?\s+)+/, '')
  if (said.includes('?')) return null
  const denies = DENIES.test(said) && !/\b(?:not|isn't|no) (?:a |an )?(?:fake|hoax|lie)\b/.test(said)
  if (denies) return 'deny'
  return AFFIRMS.test(said) && !TURNED.test(said) ? 'support' : null
}
