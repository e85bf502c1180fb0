import type { Span } from './sentences.ts'

/** Spans that overlap none of `others`; both are in text order. */
export function withoutOverlaps<Item extends Span>(spans: readonly Item[], others: readonly Span[]): Item[] {
  let next = 0
  return spans.filter(({ start, end }) => {
    while ((others[next]?.end ?? Infinity) <= start) next++
    return (others[next]?.start ?? Infinity) >= end
  })
}
