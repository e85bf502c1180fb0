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

/** Dates that are resolved: single days up to publication. Future days and weeks are too easily misunderstood. */
const DAY = /^(?:(?:on |early |late |last )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|today|yesterday|tonight)\b/iu
const FUTURE =
  /\b(?:will|would|set (?:to|for)|setting up|schedul\p{L}+|ahead of|toward|plan(?:s|ned|ning)?|expected|aims?|next|upcoming|until|due|slated|later|by|for(?= (?:\p{Lu}|a )))\b/iu
/** A possessive: "Saturday's violence", published on a Saturday, is often that of a week before. */
const POSSESSIVE = /^['’]s\b/u
const CLAUSE_END = /[,;:—–]/u
/** Maximum age of a resolved day: an earlier weekday may be the coming one, as an article's date can be a day early. */
const MOST_DAYS = 4

/**
 * The days that the relative dates of a sentence refer to, by the publication time of its article (milliseconds, UTC).
 */
export const resolvedDates = (sentence: string, published: number): ResolvedDate[] =>
  times(sentence, { start: 0, end: sentence.length }, published).flatMap(({ start, end, time }) => {
    const text = sentence.slice(start, end)
    if (time === null || !DAY.test(text) || /\d/u.test(text) || time.start !== time.end) return []
    if (FUTURE.test(clauseBefore(sentence, start) + text)) return []
    const days = Math.floor((published - Date.parse(time.start)) / DAY_MS)
    return isLikely(days, sentence.slice(end)) ? [{ text, start: time.start, end: time.end }] : []
  })

const isLikely = (days: number, after: string): boolean => days >= (POSSESSIVE.test(after) ? 1 : 0) && days <= MOST_DAYS

const clauseBefore = (sentence: string, end: number): string => sentence.slice(0, end).split(CLAUSE_END).at(-1) ?? ''
