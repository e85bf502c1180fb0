import { DAY_MS } from '../days.ts'
import type { GraphRules } from './rules.ts'
import type { GraphStory } from './story.ts'
import { sharedWords } from './title-words.ts'

/**
 * Log odds that one of two stories continues the other; `null` below the threshold, or if too much time lies between.
 */
export function chapterScore(a: GraphStory, b: GraphStory, rules: Pick<GraphRules, 'chapter'>): number | null {
  const score = pairOdds(a, b, { rules, mostSilenceMs: rules.chapter.mostSilenceMs })
  return score !== null && score >= rules.chapter.least ? score : null
}

/**
 * Log odds that two stories are chapters of one thread. They rise with the similarity of the centres and titles, and
 * fall with the silence between the stories. Symmetric. `null` if the silence exceeds `mostSilenceMs`.
 */
export function pairOdds(
  a: GraphStory,
  b: GraphStory,
  {
    rules: { chapter },
    mostSilenceMs,
  }: { readonly rules: Pick<GraphRules, 'chapter'>; readonly mostSilenceMs: number },
): number | null {
  const silence = Math.max(0, a.first_at - b.last_at, b.first_at - a.last_at)
  if (silence > mostSilenceMs) return null
  const near = product(direction(a, chapter.mean), direction(b, chapter.mean))
  const words = chapter.words * sharedWords(a.words, b.words)
  return chapter.near * near + words - chapter.silence * Math.log1p(silence / DAY_MS) + chapter.bias
}

/** Converts log odds to a probability, 0 to 1. */
export const chance = (score: number): number => 1 / (1 + Math.exp(-score))

/** Whether story `a` began before story `b`; by id on a tie. */
export const isBefore = (a: GraphStory, b: GraphStory): boolean =>
  a.first_at < b.first_at || (a.first_at === b.first_at && a.cluster_id < b.cluster_id)

/** Cached by centre, which never changes: a story is compared with every story that comes near it. */
const directions = new WeakMap<Int32Array, { readonly mean: Float64Array; readonly unit: Float64Array }>()

/** Unit vector of a story's centre, relative to the mean of all news; zero if the story has no centre. */
function direction({ centre }: GraphStory, mean: Float64Array): Float64Array {
  const known = directions.get(centre)
  if (known?.mean === mean) return known.unit
  const from = scaled(Float64Array.from(centre))
  const hasCentre = from.some((value) => value !== 0)
  const unit = hasCentre ? scaled(from.map((value, i) => value - (mean[i] ?? 0))) : from
  directions.set(centre, { mean, unit })
  return unit
}

function scaled(vector: Float64Array): Float64Array {
  const length = Math.sqrt(product(vector, vector))
  return length === 0 ? vector : vector.map((value) => value / length)
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}
