import type { CalendarDay, Period } from './calendar.ts'

/** The match and where it stands. */
export interface Match {
  /** A named group of the rule's pattern; empty where it took no part. */
  readonly group: (name: string) => string
  /** The sentence up to the match, and from its end on; what is far away is cut. */
  readonly before: string
  readonly after: string
  /** The publication date; null: not known. */
  readonly published: CalendarDay | null
}

/** One way of writing a date. */
export interface Rule {
  /** Source of a regular expression; its groups are named. */
  readonly pattern: string
  /** Null: a date that cannot be resolved; undefined: no date at all. */
  readonly resolve: (match: Match) => Period | null | undefined
}
