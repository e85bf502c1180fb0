import { patternIn } from '../model-files.ts'
import { z } from 'zod'
import {
  beginsWithStranger,
  beginsWithUnknownThing,
  isEnglish,
  namesIn,
  namesStranger,
  properNames,
  isPersonal,
  dependsOnContext,
  unquoted,
} from './quotable.ts'
import type { TermWeights } from './lexrank.ts'

/** A sentence at a position in a summary, and what the reader has read before it. */
export interface PlacedSentence {
  readonly sentence: string
  readonly terms: TermWeights
  /** Number of quotable sentences before it in its article. */
  readonly before: number
  /** The headline and the sentences of the summary before this one. */
  readonly read: string
  readonly readTerms: TermWeights
  readonly headlineTerms: TermWeights
  /** Whether it is from the article that provides the headline. */
  readonly isOfHeadline: boolean
  /** Whether it is from the same article as the first sentence of the summary. */
  readonly isOfFirst: boolean
}

export type SummaryPlace = 'opening' | 'further'

const Layer = z.object({ bias: z.number(), cues: z.record(z.string(), z.number()) })
const ClarityFile = z.object({ opening: Layer, further: Layer })

/** Weights of the cues, for the first sentence of a summary and for further ones. */
export type ClarityModel = z.infer<typeof ClarityFile>

/** Parses `models/summary/weights.json`; throws a `ZodError` if the content is invalid. */
export const parseClarityModel = (json: string): ClarityModel => ClarityFile.parse(JSON.parse(json))

/**
 * The probability, 0 to 1, that a reader finds the sentence clear and useful at this position (logistic regression).
 */
export function clarity(placed: PlacedSentence, { bias, cues }: ClarityModel[SummaryPlace]): number {
  const sum = Object.entries(clarityCues(placed)).reduce((all, [name, cue]) => all + cue * (cues[name] ?? 0), bias)
  return 1 / (1 + Math.exp(-sum))
}

/** Named cues for the clarity of a sentence at its position, each about 0 to 2, always in the same order. */
export const clarityCues = (placed: PlacedSentence): Readonly<Record<string, number>> => ({
  ...formCues(placed.sentence),
  ...nameCues(placed.sentence, placed.read),
  ...contentCues(placed),
})

const LONG_WORDS = 36
const SHORT_WORDS = 14
const DATE =
  /\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|yesterday|today|January|February|March|April|June|July|August|September|October|November|December|Jan\.|Feb\.|Aug\.|Sept\.|Oct\.|Nov\.|Dec\.)/u
const REPORTS = patternIn('summary/reports')
const ATTRIBUTED_AT_END = /,? (?:said|says|according to|told|reported)\b[^.]{0,80}\.$/iu
const BEGINS_WITH_NAME = /^(?:(?:President|Sen\.|Rep\.|Gov\.|Former|The) )?\p{Lu}\p{Ll}+ \p{Lu}/u
const BEGINS_WITH_PREPOSITION = /^(?:In|On|At|After|As|When|While|With|For|During|If|Since|Before|By|Amid|Despite)\b/u

/** Cues from the wording alone. */
function formCues(sentence: string) {
  const own = unquoted(sentence)
  const words = sentence.split(/\s+/u).length
  return {
    leans: Number(dependsOnContext(sentence)),
    personal: Number(isPersonal(sentence)),
    begins_with_quotation: Number(/^["“'‘]/u.test(sentence)),
    begins_with_name: Number(BEGINS_WITH_NAME.test(sentence)),
    begins_with_the: Number(/^The \p{Ll}/u.test(sentence)),
    begins_with_a: Number(/^An? /u.test(sentence)),
    begins_with_preposition: Number(BEGINS_WITH_PREPOSITION.test(sentence)),
    date: Number(DATE.test(own)),
    reports: Number(REPORTS.test(own)),
    attributed_at_end: Number(ATTRIBUTED_AT_END.test(own)),
    number: Number(/\d/u.test(own)),
    quotation: Number(/["“]/u.test(sentence)),
    contrast: Number(/\b(?:but|however|although|though|yet)\b/iu.test(own)),
    dash: Number(/[—–]| - |;|:/u.test(own)),
    words: words / 20,
    long: Number(words > LONG_WORDS),
    short: Number(words < SHORT_WORDS),
  }
}

const MOST_NAMES = 10

/** Cues for persons and things that the sentence mentions without an introduction. */
function nameCues(sentence: string, read: string) {
  const known = namesIn(read)
  const names = properNames(unquoted(sentence))
  const unknown = names.filter((name) => !known.has(name.replace(/['’]s$/u, '').toLowerCase())).length
  return {
    stranger_first: Number(beginsWithStranger(sentence, known)),
    stranger: Number(namesStranger(sentence, known)),
    unknown_thing: Number(beginsWithUnknownThing(sentence, read)),
    no_name: Number(isEnglish(sentence) && names.length === 0),
    names: Math.min(names.length, MOST_NAMES) / 5,
    unknown_names: Math.min(unknown, MOST_NAMES) / 5,
    known_share: names.length === 0 ? 0 : 1 - unknown / names.length,
  }
}

const MOST_BEFORE = 6
const MOST_NEW = 12

/** Cues for how much the sentence is about the headline, and what it adds to the text read so far. */
function contentCues({ terms, before, readTerms, headlineTerms, isOfHeadline, isOfFirst }: PlacedSentence) {
  const added = [...terms.keys()].filter((term) => !readTerms.has(term)).length
  return {
    before: Math.min(before, MOST_BEFORE) / 3,
    of_headline: Number(isOfHeadline),
    of_first: Number(isOfFirst),
    says_headline: shareOf(headlineTerms, terms),
    read_already: shareOf(terms, readTerms),
    new_terms: Math.min(added, MOST_NEW) / 6,
  }
}

/** The share of the weight of `some` that is in terms of `others`, 0 to 1. */
function shareOf(some: TermWeights, others: TermWeights): number {
  let all = 0
  let shared = 0
  for (const [term, weight] of some) {
    all += weight
    if (others.has(term)) shared += weight
  }
  return all === 0 ? 0 : shared / all
}
