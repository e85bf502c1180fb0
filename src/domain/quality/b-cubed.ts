/** An item with its labelled cluster (`gold`) and the cluster we assigned (`predicted`). */
export interface GroupedItem {
  readonly gold: string
  readonly predicted: string
}

export interface ScoreMeasure {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/**
 * B-cubed: for each item, the share of its predicted cluster that belongs with it (precision), and the share of its
 * gold cluster that was found (recall); both averaged over all items.
 */
export function bCubed(items: readonly GroupedItem[]): ScoreMeasure {
  const { both, gold, predicted } = sizes(items)
  let precision = 0
  let recall = 0
  for (const { count, ...overlap } of both.values()) {
    precision += (count * count) / (predicted.get(overlap.predicted) ?? 1)
    recall += (count * count) / (gold.get(overlap.gold) ?? 1)
  }
  return measure(ratio(precision, items.length), ratio(recall, items.length))
}

/** Pairwise precision and recall: the share of predicted pairs that are also in the gold clusters, and of gold pairs that are also predicted. */
export function pairwise(items: readonly GroupedItem[]): ScoreMeasure {
  const { both, gold, predicted } = sizes(items)
  const right = pairs([...both.values()].map(({ count }) => count))
  return measure(ratio(right, pairs([...predicted.values()])), ratio(right, pairs([...gold.values()])))
}

function sizes(items: readonly GroupedItem[]) {
  const both = new Map<string, GroupedItem & { count: number }>()
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

const pairs = (groups: readonly number[]): number => groups.reduce((sum, size) => sum + (size * (size - 1)) / 2, 0)

/** `part / whole`; 1 if there is nothing to measure. */
export const ratio = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole)

/** Adds F1, the harmonic mean of precision and recall. */
export const measure = (precision: number, recall: number): ScoreMeasure => ({
  precision,
  recall,
  f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
})
