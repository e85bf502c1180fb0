import type { Genre } from '../../events/articles.ts'
import { patternsByName, patternIn } from '../model-files.ts'
import type { Cues } from './address-cues.ts'

/** Labels and forms of a headline that was brought to lower case with straight apostrophes. */
const FORMS = patternsByName('headline-forms')

/** A word or two before a colon, such as "Opinion:", which stands before the headline itself. */
const LABEL = /^[\p{L}\- ]{1,24}: /u
const QUOTED = /(?<!\p{L})["'][^"']{3,}["'](?!\p{L})/gu
const SHORT_WORDS = 6
/** More characters than a headline has. */
const MAX_CHARACTERS = 300

/** What the form of a headline says; nothing of none. */
export function headlineCues(title: string | null): Cues {
  const headline = (title ?? '').slice(0, MAX_CHARACTERS).trim().replace(/[‘’]/gu, "'").replace(/[“”]/gu, '"')
  const lower = headline.toLowerCase()
  const bare = lower.replace(LABEL, '')
  const forms = FORMS.map(([name, form]): [string, boolean] => [
    name,
    form.test(lower) || (name.startsWith('form_') && form.test(bare)),
  ])
  const unquoted = headline.replace(QUOTED, '').replace(/\bUS\b/gu, '')
  return {
    ...Object.fromEntries(forms),
    says_i_we_you: /\b(?:i|we|us|our|my|me|you|your|let's)\b/iu.test(unquoted),
    quotes: /["'][^"']{8,}["']/u.test(headline),
    is_short: headline !== '' && headline.split(/\s+/u).length <= SHORT_WORDS,
  }
}

/** Standing headings of rubrics, at the beginning of a headline or as its label. */
const ROUNDUP = patternIn('genre/roundup')
const PRESS_DIGEST =
  /\b(?:what the papers say|press review|newspaper headlines|front pages|editorials? from around|twitter (?:reacts|erupts|responds)|the internet reacts|presseschau|revue de presse)\b/u

/** The genre that an address or a headline names itself; null where none does. */
export function namedGenre(title: string | null, cues: Cues): Genre | null {
  if (cues['address_live'] === true || cues['label_live'] === true) return 'live_blog'
  const headline = (title ?? '').trim().toLowerCase().replace(/[‘’]/gu, "'")
  if (PRESS_DIGEST.test(headline)) return 'press_digest'
  return ROUNDUP.test(headline) ? 'roundup' : null
}
