import { DAY_MS, HOUR_MS } from '../days.ts'
import type { EntityType } from '../../events/articles.ts'

/** Base64 of a little-endian int16[384], in steps of 1/32767. */
const MEAN_LEAD_STEPS = [
  'EgHwAMkDNf/PBBMAsQES/W3+gv1N/jcGzAAr/rb91wPY/8v+Bv0DBFz9/QJ1AegA3ADVAWX+yf3t+zn/5QQX/hf92QHtAUj/JQGYAscEJv84At',
  'L5Sf9LAx79iQB3ACoB9wFc/vP8/gGdANT+9wEWANsA1QCPAFADygJS/V8C7QE2AGQC1f4n/Iv+HQIxBGoE2wBW/o8Cvf4YBAYGwgZ5/pkDI/+1',
  '/8P9Mv2L/oz80vu1AHcBUP1I/IEBYf/k+icA7fxyAPT5VAPg/BoDRP5G++7+3vz2/m//sPyVAgMDqv9+AJX9aAJp/6cBPP5n/Z7+kAHUAdn7fA',
  'Kd/8f65/sAANQCY/6Y/2D/7wBzBJ3+9fkxAOsAO/xTAi8A+gF4+8X9NvwzAxj9e/+zBDcBWwHaAqECpv1EAtMC4/5ZAAv4KQGdAlcDlAGN/+X+',
  '/f/n/vz+Yf5bBhr/7gKdAKz/igFPAAwA6v1pAQQCJgI//yX9O/wv/Qb+AgRA//v/gQJp+SMC3PoN/hj7NwDh/Z8DaATS/wD94/4g+rH+vQGq/w',
  'gGvP2WAQD88gmP/nD9/QKb/wP+gwGiAqT4fAJhAucAc/4AAHz6hP5EAaoCoQGO/y7/Jf+3Akz+cv1t/88BJwO+APL8Dgf9/Cn9bf9BArQGCfpI',
  'BMj7D/1yBQP9Uf7o/R/8kv7c/icEPgO4Ap0AGf0+/pj+kwcx/yD9JABh/WAEvfuwAm39mP/I+dUAjfyZBIr91/9n/jH/jAOMARH+av7s/+X5EA',
  'Lb/vL9dP41BGACUwAn+or6Zf6lAlUEMftdAND+4wY4BVT6j/7W/GsExgTC//389v2HBF3+LvvC/IMAtf0AAAkD6P3P/rIAuv8hANT9pfwrAaoA',
  'kQUY/7H7jf2E//QAWP7m//D9PgDS/IL/jfsYBL0CtwGT/c8ECQH6Aa78pv4H+d3/M/+kAQP+RAGgBcUBuv1zAR8DwgCv+bD8Tv0HAU4DuQAV/N',
  'r9g/+UACIFAAF4Anf9ZPw4/mQBrfz8AdcB',
]

/** float64[384]: mean lead vector of news; `models/clustering/mean-vector.json` has it in full precision. */
export const MEAN_LEAD: Float64Array = meanOf(Buffer.from(MEAN_LEAD_STEPS.join(''), 'base64'))

function meanOf(bytes: Buffer): Float64Array {
  return Float64Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(2 * i) / 32_767)
}

/**
 * Parameters of the story graph, used by the stage that maintains it and by the build that recomputes it. README.md
 * explains how they were chosen.
 */
export const GRAPH = {
  /** Weight of a shared entity by type: integers, so that sums are exact. A weight of 0 excludes the type. */
  weights: { PERSON: 2, ORG: 2, EVENT: 2, GPE: 1, LOC: 1, DATE: 0, MONEY: 0 } satisfies Record<EntityType, number>,
  significant: {
    /** An entity is significant for a story if at least one in this many of its articles names it: 3 means a third. */
    oneIn: 3,
    /** Maximum number of significant entities; those that most articles name are kept. */
    most: 7,
  },
  shared: {
    /** Minimum number of shared entities: two or more. */
    least: 3,
    /** Minimum weight of the shared entities divided by the weight of all entities, 0 to 1. */
    confidence: 0.5,
  },
  /**
   * Pairs that are checked for a next chapter: minimum number of shared entities (two or more), and minimum confidence.
   */
  candidate: { least: 2, confidence: 0.1 },
  /** Weights of the log odds that a story continues an earlier one. */
  chapter: {
    /** Weight of the cosine of their centres, relative to `mean`. */
    near: 7.02,
    /** Weight of the cosine of their title words. */
    words: 7.13,
    /** Subtracted per unit of ln(1 + days between the last article of one story and the first of the other). */
    silence: 0.488,
    bias: -3.79,
    /** Minimum log odds for a step. */
    least: 0.5,
    mostSilenceMs: 120 * DAY_MS,
    /** Mean vector of all news. */
    mean: MEAN_LEAD,
  },
  /** Average linkage of stories that chapter steps connect. */
  linkage: {
    /** Two groups are joined if the average log odds of their pairs are at least this. */
    least: -0.8,
    /** Lower bound for the score of a pair. */
    floor: -2,
    /** Pairs with a longer silence between them do not count. */
    mostApartMs: 200 * DAY_MS,
    /** Maximum number of stories compared with each other at once, and so of one thread. */
    mostStories: 128,
  },
  /** Parallel stories that converged: they overlap in time and have at least this confidence and cosine. */
  merged: { confidence: 0.6, similarity: 0.85 },
  thread: {
    leastStories: 3,
    /** Minimum mean confidence of the chapter steps for a thread to be shown. */
    shown: 0.3,
    activeMs: 48 * HOUR_MS,
    concludedMs: 7 * DAY_MS,
  },
}

export type GraphRules = Readonly<typeof GRAPH>
