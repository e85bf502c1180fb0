import { patternIn } from '../model-files.ts'

/** What a post may say outright. */
type Outright = 'support' | 'deny'

const DENIES = patternIn('stance/denies')

const AFFIRMS = patternIn('stance/affirms')

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
