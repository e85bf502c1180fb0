import type { Genre } from '../../events/articles.ts'
import { headlineCues } from '../genre/cues.ts'
import { wordList } from '../model-files.ts'

/** Page furniture in a headline: players and links to the page itself. */
const FURNITURE = /\s+(?:Listen\s*·.*|Read more(?: at)?:.*|https?:\/\/\S*|\[(?:video|photos?|updated?)\])$/iu
/** A byline at the end, after two or more blanks: "  Jane Doe Staff May 3". */
const SIGNED = /\s{2,}(?:\p{Lu}[\p{L}.'’-]+\s+){2,6}Staff\b.*$/u
const UPDATED = /^(?:UPDATED?|BREAKING(?: NEWS)?|JUST IN|DEVELOPING)\s*[:|–—-]\s*/u

/** A headline as the title of a story: without additions of the page, such as the author or "UPDATED:". */
export const shownHeadline = (title: string): string =>
  title.replace(SIGNED, '').replace(/\s+/gu, ' ').trim().replace(FURNITURE, '').replace(UPDATED, '').trim() || title

/** A member of a story whose headline may become the story's title. */
export interface Headline {
  readonly article_id: string
  readonly title: string | null
  readonly genre: Genre
  /** Similarity to the centre of the story, -1 to 1. */
  readonly similarity: number
}

/** Subtracted from the similarity of a member, by genre. */
const GENRE_PENALTY: Readonly<Record<Genre, number>> = {
  report: 0,
  analysis: 0.2,
  explainer: 0.35,
  live_blog: 0.4,
  roundup: 0.5,
  press_digest: 0.5,
  opinion: 0.5,
}

/** Subtracted for the form of a headline, by the cues of `headlineCues`. */
const FORM_PENALTY: Readonly<Record<string, number>> = {
  label_opinion: 0.5,
  label_analysis: 0.25,
  label_live: 0.4,
  form_explained: 0.3,
  form_list: 0.3,
  form_takeaways: 0.3,
  form_question: 0.35,
  form_why: 0.25,
  says_i_we_you: 0.15,
  says_verdict: 0.1,
  is_short: 0.06,
}
/** Added if the headline says that somebody did something: a verb of events, or a verb after a name. */
const EVENT_BONUS = 0.08
const NAME_AND_VERB = /^(?:\p{Lu}[\p{L}.'’-]*,?\s+){1,5}(?:reportedly\s+)?(?!is\b|was\b|has\b)\p{Ll}{2,}s\b/u

/** Further flaws, each with the amount to subtract. */
const FLAWS: readonly (readonly [RegExp, number])[] = [
  [/^["'“‘][^"”]*["'”’]?\s*[:,]/u, 0.12], // a quotation before its speaker
  [/^["“].*["”]$|^['‘].*['’]$/u, 0.3], // only a quotation
  [/^(?:he|she|they|it|this|that|these|those|his|her|their|him)\b/iu, 0.3],
  [/\bhere(?:'|’)s\b|\b(?:you won(?:'|’)t believe|what happened next|this is what|is in$|find out)\b/iu, 0.25],
  [/^(?:watch|video|photos?|listen|read|quiz|podcast|transcript|full text|in pictures|gallery)\b/iu, 0.25],
  [/^(?:\S+\s+){1,4}(?:is|was|are|were)\s+(?!out\b|dead\b|reportedly\b|not guilty\b|\p{L}+ed\b)/u, 0.08], // judges or describes
  [
    /\b(?:testimony|speech|statement|remarks|letter|memo|order|ruling|report):? text$|\bsee (?:who|what|how|where)\b/iu,
    0.25,
  ], // names a document
  [/^[^:]{0,60}["“][^"”]+["”][^"“]*["“][^"”]+["”]$/u, 0.15], // quotes others instead of reporting
  [/\btranscript\b|\bfull text\b|:\s*(?:our|opposing) view$/iu, 0.3],
  [/^[\p{L}' ]{2,30}[!]|[!]$|…$|\.\.\./u, 0.1],
  [/^(?:surprise|wow|hmm+|yes|no|sorry|dear|thank you|reminder|flashback|report|rumor|boom)\b/iu, 0.15],
  [
    /\b(?:set to|expected to|poised to|to (?:call|address|speak|meet|vote|testify)\b|ahead of|heading into|braces? for|gears up|prepares? (?:to|for)|awaits?|eyes)\b/iu,
    0.18,
  ], // announces something that others may have reported
  [/\b(?:smackdown|firestorm|rampage|bombshell|meltdown|doubles down|clap(?:s|ped)? back)\b/iu, 0.1],
  [/\b(?:slams|destroys|skewers|blasts|freaks out|owns|shreds|eviscerates|trashes)\b/iu, 0.08],
]

/** Weight of the agreement with other headlines. */
const SUPPORT_WEIGHT = 0.3
/** The earliest headline within this distance of the best one is kept, so that titles change only for a clear gain. */
const CLEARLY_BETTER = 0.04
const LONG_WORDS = 20

/**
 * The member whose headline represents a story: a report near the centre that shares words with other headlines and
 * says what happened. `headlines` are oldest first. `null` if there are none.
 */
export function centralHeadline(headlines: readonly Headline[]): Pick<Headline, 'article_id' | 'title'> | null {
  const titled = headlines.filter(({ title }) => (title ?? '').trim() !== '')
  const candidates = titled.length > 0 ? titled : headlines
  const words = candidates.map(({ title }) => contentWords(title ?? ''))
  const scores = candidates.map((one, i) => score(one) + SUPPORT_WEIGHT * supportOf(words, i))
  const best = Math.max(...scores)
  const chosen = candidates.find((_, i) => (scores[i] ?? -Infinity) >= best - CLEARLY_BETTER)
  return chosen === undefined
    ? null
    : { article_id: chosen.article_id, title: chosen.title === null ? null : shownHeadline(chosen.title) }
}

function score({ title, genre, similarity }: Headline): number {
  const headline = shownHeadline(title ?? '')
  const cues = headlineCues(headline)
  const form = Object.entries(FORM_PENALTY).reduce((sum, [cue, flaw]) => sum + (cues[cue] === true ? flaw : 0), 0)
  const flaws = FLAWS.reduce((sum, [pattern, flaw]) => sum + (pattern.test(headline) ? flaw : 0), 0)
  const long = headline.split(/\s+/u).length > LONG_WORDS ? 0.1 : 0
  const saysEvent = cues['says_event'] === true || NAME_AND_VERB.test(headline)
  return similarity - GENRE_PENALTY[genre] - form - flaws - long + (saysEvent ? EVENT_BONUS : 0)
}

/** Words that occur in all kinds of headlines. */
const LIGHT = wordList('headlines/light-words')

const contentWords = (title: string): ReadonlySet<string> =>
  new Set((title.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => !LIGHT.has(word)))

/** Share of a headline's words that also occur in other headlines, 0 to 1. */
function supportOf(words: readonly ReadonlySet<string>[], at: number): number {
  const own = [...(words[at] ?? [])]
  const shared = own.filter((word) => words.some((other, i) => i !== at && other.has(word)))
  return own.length === 0 ? 0 : shared.length / own.length
}
