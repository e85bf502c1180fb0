/** One thing that was grouped, by people and by us. */
export interface GroupedItem {
  readonly gold: string
  readonly predicted: string
}

export interface ScoreMeasure {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** B-cubed: for each item, how much of its predicted group belongs there and how much of its gold group is there; means. */
export function bCubed(items: readonly GroupedItem[]): ScoreMeasure {
  const { both, gold, predicted } = sizes(items)
  let precision = 0
  let recall = 0
  for (const { count, goldSize, predictedSize } of overlaps(both, gold, predicted)) {
    precision += (count * count) / predictedSize
    recall += (count * count) / goldSize
  }
  return measure(ratio(precision, items.length), ratio(recall, items.length))
}

/** Pairwise: of the pairs we put together, how many belong together, and the other way round. */
export function pairwise(items: readonly GroupedItem[]): ScoreMeasure {
  const { both, gold, predicted } = sizes(items)
  const right = pairs([...both.values()].map(({ count }) => count))
  return measure(ratio(right, pairs([...predicted.values()])), ratio(right, pairs([...gold.values()])))
}

interface Overlap {
  readonly gold: string
  readonly predicted: string
  count: number
}

interface Sizes {
  readonly both: ReadonlyMap<string, Overlap>
  readonly gold: ReadonlyMap<string, number>
  readonly predicted: ReadonlyMap<string, number>
}

function sizes(items: readonly GroupedItem[]): Sizes {
  const both = new Map<string, Overlap>()
  const gold = new Map<string, number>()
  const predicted = new Map<string, number>()
  for (const item of items) {
    const key = JSON.stringify([item.gold, item.predicted])
    const overlap = both.get(key) ?? { ...item, count: 0 }
    overlap.count += 1
    both.set(key, overlap)
    gold.set(item.gold, (gold.get(item.gold) ?? 0) + 1)
    predicted.set(item.predicted, (predicted.get(item.predicted) ?? 0) + 1)
  }
  return { both, gold, predicted }
}

const overlaps = (both: Sizes['both'], gold: Sizes['gold'], predicted: Sizes['predicted']) =>
  [...both.values()].map((overlap) => ({
    count: overlap.count,
    goldSize: gold.get(overlap.gold) ?? 1,
    predictedSize: predicted.get(overlap.predicted) ?? 1,
  }))

const pairs = (groups: readonly number[]): number => groups.reduce((sum, size) => sum + (size * (size - 1)) / 2, 0)

/** 1 of nothing: where nothing is measured, nothing is wrong. */
export const ratio = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole)

/** With F1, their harmonic mean. */
export const measure = (precision: number, recall: number): ScoreMeasure => ({
  precision,
  recall,
  f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
})
