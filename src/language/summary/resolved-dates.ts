import { DAY_MS } from '../../domain/days.ts'
import { times } from '../times/times.ts'

/** A date that a sentence states relative to its article: "Tuesday", "last week". */
export interface ResolvedDate {
  /** The date as written in the sentence. */
  readonly text: string
  /** UTC days `YYYY-MM-DD`, both inclusive. */
  readonly start: string
  readonly end: string
}

/** Words that mean a different day in each article. */
const RELATIVE =
  /\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|today|yesterday|tomorrow|tonight|(?:last|next|this|past) (?:week|weekend|month|year|spring|summer|autumn|fall|winter)|ago)\b/iu

/** Whether the sentence has a date that cannot be resolved without the date of the article. */
export const hasRelativeDate = (sentence: string): boolean => RELATIVE.test(sentence)

/** One day behind the article. What is to come, or is a whole week, is too easily mistaken: such a date stays as it is. */
const DAY = /^(?:(?:on |early |late |last )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|today|yesterday|tonight)\b/iu
const TO_COME =
  /\b(?:will|would|set (?:to|for)|setting up|schedul\p{L}+|ahead of|toward|plan(?:s|ned|ning)?|expected|aims?|next|upcoming|until|due|slated|later|by|for(?= (?:\p{Lu}|a )))\b/iu
/** "Saturday's violence", written on a Saturday, is as often that of a week ago. */
const OF_A_DAY = /^['’]s\b/u
const CLAUSE_END = /[,;:—–]/u
/** A day with a name further back may as well be the one to come: an article's date can be a day early. */
const MOST_DAYS = 4

/**
 * The days that the relative dates of a sentence refer to, by the publication time of its article (milliseconds, UTC).
 */
export const resolvedDates = (sentence: string, published: number): ResolvedDate[] =>
  times(sentence, { start: 0, end: sentence.length }, published).flatMap(({ start, end, time }) => {
    const text = sentence.slice(start, end)
    if (time === null || !DAY.test(text) || /\d/u.test(text) || time.start !== time.end) return []
    if (TO_COME.test(clauseBefore(sentence, start) + text)) return []
    const days = Math.floor((published - Date.parse(time.start)) / DAY_MS)
    return isLikely(days, sentence.slice(end)) ? [{ text, start: time.start, end: time.end }] : []
  })

const isLikely = (days: number, after: string): boolean => days >= (OF_A_DAY.test(after) ? 1 : 0) && days <= MOST_DAYS

const clauseBefore = (sentence: string, end: number): string => sentence.slice(0, end).split(CLAUSE_END).at(-1) ?? ''
