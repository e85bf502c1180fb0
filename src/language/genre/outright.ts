import { patternIn } from '../model-files.ts'
import type { Genre } from '../../events/articles.ts'
import type { Cues } from './cues.ts'

/** Standing headings of rubrics, at the beginning of a headline or as its label. */
const ROUNDUP = patternIn('genre/roundup')
const PRESS_DIGEST =
  /\b(?:what the papers say|press review|newspaper headlines|front pages|editorials? from around|twitter (?:reacts|erupts|responds)|the internet reacts|presseschau|revue de presse)\b/u

/** The genre that an address or a headline names itself; null where none does. */
export function outright(title: string | null, cues: Cues): Genre | null {
  if (cues['address_live'] === true || cues['label_live'] === true) return 'live_blog'
  const headline = (title ?? '').trim().toLowerCase().replace(/[‘’]/gu, "'")
  if (PRESS_DIGEST.test(headline)) return 'press_digest'
  return ROUNDUP.test(headline) ? 'roundup' : null
}
