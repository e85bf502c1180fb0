import { DAY_MS } from '../../domain/days.ts'
import type { ClusterCandidate } from './candidates.ts'
import type { Features } from './features.ts'
import type { LiveIndex } from './live-index.ts'
import { SKETCH_BITS } from './sketch.ts'

/**
 * Coefficients of a linear regression of the score on what the search knows, fitted on 38,000 candidates of the
 * generated world of `bench state`.
 */
const BIAS = -3.66
const COSINE = 4.54
const COSINE_SQUARED = 1.82
const SHARED = 1.25
const SHARED_SQUARED = 3.08
const GAP_OF_MIDDLE = -0.81
const GAP = -0.21
/** By the number of bits in which two sketches differ: the cosine of vectors that differ in so many signs. */
const COSINES = Float64Array.from({ length: SKETCH_BITS + 1 }, (_, bits) => Math.cos((Math.PI * bits) / SKETCH_BITS))
/** As in `pair`. */
const MOST_GAP_DAYS = 3

/**
 * The score of a story, before the article is compared with its members, which takes a hundred times as long. The
 * standard deviation of a score from it is 0.9; in one of a thousand stories the score is 2.2 higher. Infinite if a text
 * has no body, since the coefficients hold for bodies.
 */
export function expectedScore(
  { slot, distance, shared }: Omit<ClusterCandidate, 'cluster'>,
  article: Features,
  { spans, bodiless }: Pick<LiveIndex, 'spans' | 'bodiless'>,
): number {
  if (!article.hasBody || bodiless[slot] === 1) return Infinity
  const cosine = COSINES[distance] ?? -1
  const ofSketch = (COSINE + COSINE_SQUARED * cosine) * cosine
  const ofKeys = (SHARED + SHARED_SQUARED * shared) * shared
  const ofTime = article.dated ? gapShare(article.time, spans[2 * slot] ?? 0, spans[2 * slot + 1] ?? 0) : 0
  return BIAS + ofSketch + ofKeys + ofTime
}

function gapShare(time: number, first: number, last: number): number {
  const gap = Math.max(0, first - time, time - last)
  const gapOfMiddle = Math.abs((first + last) / 2 - time)
  return GAP_OF_MIDDLE * inDays(gapOfMiddle) + GAP * inDays(gap)
}

const inDays = (ms: number): number => Math.min(MOST_GAP_DAYS, ms / DAY_MS)
