import { DAY_MS, HOUR_MS } from '../days.ts'
import type { EntityType } from '../../events/articles.ts'

/** Steps of 1/32767, little-endian int16[384]. */
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

/** float64[384]: mean of the lead vectors of news, which `models/clustering/mean-vector.json` has in full. */
export const MEAN_LEAD: Float64Array = meanOf(Buffer.from(MEAN_LEAD_STEPS.join(''), 'base64'))

function meanOf(bytes: Buffer): Float64Array {
  return Float64Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(2 * i) / 32_767)
}

/**
 * The numbers of the graph over stories. Both the stage that keeps it and the build that makes it again go by them. How they
 * were chosen: README.md.
 */
export const GRAPH = {
  /** What sharing an entity of a type is worth: whole numbers, so that sums are exact; 0 counts for nothing. */
  weights: { PERSON: 2, ORG: 2, EVENT: 2, GPE: 1, LOC: 1, DATE: 0, MONEY: 0 } satisfies Record<EntityType, number>,
  significant: {
    /** An entity is a story's own when one in this many of its articles names it: 3 is a third. */
    oneIn: 3,
    /** At most this many, those that most articles name. */
    most: 7,
  },
  shared: {
    /** Entities that both must name: two or more. */
    least: 3,
    /** Weight of the shared ones over that of all, 0 to 1. */
    confidence: 0.5,
  },
  /** Which pairs are looked at for a next chapter: they share entities, two or more, that weigh at least this much. */
  candidate: { least: 2, confidence: 0.1 },
  /** Log odds that a story goes on with an earlier one. */
  chapter: {
    /** For the cosine of their centres, seen from `mean`. */
    near: 7.02,
    /** For the cosine of the words of their titles. */
    words: 7.13,
    /** For the logarithm of one and the days between the last article of one and the first of the other: taken away. */
    silence: 0.488,
    bias: -3.79,
    /** Below it no story goes on with another. */
    least: 0.5,
    mostSilenceMs: 120 * DAY_MS,
    /** Of the vectors of all news. */
    mean: MEAN_LEAD,
  },
  /** Average linkage of the stories that steps from chapter to chapter bring together. */
  linkage: {
    /** Average of the log odds of the pairs of two groups from which on they are one. */
    least: -0.8,
    /** What a pair counts at least. */
    floor: -2,
    /** Pairs with a longer silence between them do not count. */
    mostApartMs: 200 * DAY_MS,
    /** Stories that are compared with each other at once, and so of one thread, at most. */
    mostStories: 128,
  },
  /** Parallel stories that converged: both run at the same time, confidence and cosine are at least this much. */
  merged: { confidence: 0.6, similarity: 0.85 },
  thread: {
    leastStories: 3,
    /** Below it a thread is not shown: mean confidence of the steps from chapter to chapter. */
    shown: 0.3,
    activeMs: 48 * HOUR_MS,
    concludedMs: 7 * DAY_MS,
  },
}

export type GraphRules = Readonly<typeof GRAPH>
