import { DAY_MS, HOUR_MS } from '../days.ts'
import type { EntityType } from '../../events/articles.ts'
import { MEAN_LEAD } from './mean-lead.ts'

/** The numbers of the graph over stories. Both the stage that keeps it and the build that makes it again go by them. */
export interface GraphRules {
  /** What sharing an entity of a type is worth: whole numbers, so that sums are exact; 0: it counts for nothing. */
  readonly weights: Readonly<Record<EntityType, number>>
  readonly significant: {
    /** An entity is a story's own where one of so many of its articles names it: 3 is a third. */
    readonly oneIn: number
    /** At most so many, those that most articles name. */
    readonly most: number
  }
  readonly shared: {
    /** Entities that both must name: two or more. */
    readonly least: number
    /** Weight of the shared ones over that of all, 0 to 1. */
    readonly confidence: number
  }
  /** Which pairs are looked at for a next chapter: they share entities, two or more, that weigh at least so much. */
  readonly candidate: {
    readonly least: number
    readonly confidence: number
  }
  /** Log odds that a story goes on with an earlier one. */
  readonly chapter: {
    /** For the cosine of their centres, seen from `mean`. */
    readonly near: number
    /** For the cosine of the words of their titles. */
    readonly words: number
    /** For the logarithm of one and the days between the last article of one and the first of the other: taken away. */
    readonly silence: number
    readonly bias: number
    /** Below it no story goes on with another. */
    readonly least: number
    readonly mostSilenceMs: number
    /** Of the vectors of all news. */
    readonly mean: Float64Array
  }
  /** Average linkage of the stories that steps from chapter to chapter bring together. */
  readonly linkage: {
    /** Average of the log odds of the pairs of two groups from which on they are one. */
    readonly least: number
    /** What a pair counts at least. */
    readonly floor: number
    /** Pairs with a longer silence between them do not count. */
    readonly mostApartMs: number
    /** Stories that are compared with each other at once, and so of one thread, at most. */
    readonly mostStories: number
  }
  readonly merged: {
    /** Of parallel stories that converged: both run at the same time, confidence and cosine at least so much. */
    readonly confidence: number
    readonly similarity: number
  }
  readonly thread: {
    readonly leastStories: number
    /** Below it a thread is not shown: mean confidence of the steps from chapter to chapter. */
    readonly shown: number
    readonly activeMs: number
    readonly concludedMs: number
  }
}

/** How they were chosen: README.md. */
export const GRAPH: GraphRules = {
  weights: { PERSON: 2, ORG: 2, EVENT: 2, GPE: 1, LOC: 1, DATE: 0, MONEY: 0 },
  significant: { oneIn: 3, most: 7 },
  shared: { least: 3, confidence: 0.5 },
  candidate: { least: 2, confidence: 0.1 },
  chapter: {
    near: 7.02,
    words: 7.13,
    silence: 0.488,
    bias: -3.79,
    least: 0.5,
    mostSilenceMs: 120 * DAY_MS,
    mean: MEAN_LEAD,
  },
  linkage: { least: -0.8, floor: -2, mostApartMs: 200 * DAY_MS, mostStories: 128 },
  merged: { confidence: 0.6, similarity: 0.85 },
  thread: { leastStories: 3, shown: 0.3, activeMs: 48 * HOUR_MS, concludedMs: 7 * DAY_MS },
}
