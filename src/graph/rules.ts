import type { EntityType } from '../events/articles.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The numbers of the graph over stories. Both the stage that keeps it and the build that makes it anew go by them. */
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
  readonly evolved: {
    /** From the last article of the earlier chapter to the first of the later one, milliseconds. */
    readonly leastGapMs: number
    readonly mostGapMs: number
    /** Cosine of the two centres. */
    readonly similarity: number
  }
  readonly merged: {
    /** Of parallel stories that converged: both run at the same time, confidence and cosine at least so much. */
    readonly confidence: number
    readonly similarity: number
  }
  readonly thread: {
    /** Links of at least so much confidence hold a thread together. */
    readonly confidence: number
    readonly leastStories: number
    /** Below it a thread is not shown: mean confidence of its links. */
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
  evolved: { leastGapMs: 12 * HOUR_MS, mostGapMs: 30 * DAY_MS, similarity: 0.7 },
  merged: { confidence: 0.6, similarity: 0.85 },
  thread: { confidence: 0.55, leastStories: 3, shown: 0.3, activeMs: 48 * HOUR_MS, concludedMs: 7 * DAY_MS },
}
