import type { QualityParts } from '../../events/articles.ts'
import { coherence } from './coherence.ts'
import { depth } from './depth.ts'
import type { QualityReading } from './reading.ts'
import { cleanness } from './spam.ts'

/** The specification's weights: they sum to 1. */
export const WEIGHTS = { depth: 0.4, coherence: 0.3, credibility: 0.2, spam: 0.1 } as const

export interface Quality {
  /** 0 to 1. */
  readonly score: number
  readonly parts: QualityParts
}

/** The four weighted factors and their sum, each rounded to four digits so that it reads the same everywhere. */
export function quality(reading: QualityReading, credibility: number): Quality {
  const factors = { depth: depth(reading), coherence: coherence(reading), credibility, spam: cleanness(reading) }
  const score = rounded(
    WEIGHTS.depth * factors.depth +
      WEIGHTS.coherence * factors.coherence +
      WEIGHTS.credibility * factors.credibility +
      WEIGHTS.spam * factors.spam,
  )
  return {
    score,
    parts: {
      rating: ratingOf(score),
      depth: rounded(factors.depth),
      coherence: rounded(factors.coherence),
      credibility: rounded(factors.credibility),
      spam: rounded(factors.spam),
    },
  }
}

export function ratingOf(score: number): QualityParts['rating'] {
  if (score >= 0.8) return 'Excellent'
  if (score >= 0.65) return 'Good'
  if (score >= 0.5) return 'Medium'
  return score >= 0.3 ? 'Low' : 'Noise'
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4
