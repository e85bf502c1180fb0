import type { GroupedItem } from '../domain/quality/b-cubed.ts'

/** A share of `n` items, 0 to 1; 0 if there are none. */
export interface Rate {
  readonly value: number
  readonly n: number
}

export const rate = <Item>(items: readonly Item[], holds: (item: Item) => boolean): Rate => ({
  value: items.length === 0 ? 0 : items.filter(holds).length / items.length,
  n: items.length,
})

/** The share of predicted stories with at least two labelled articles that contain more than one gold story. */
export const overMergeRate = (items: readonly GroupedItem[]): Rate =>
  mixedRate(items.map(({ gold, predicted }) => ({ group: predicted, label: gold })))

/** The share of gold stories with at least two labelled articles that are split into more than one predicted story. */
export const fragmentationRate = (items: readonly GroupedItem[]): Rate =>
  mixedRate(items.map(({ gold, predicted }) => ({ group: gold, label: predicted })))

/** The share of groups of at least two items that have more than one label. */
function mixedRate(items: readonly { readonly group: string; readonly label: string }[]): Rate {
  const groups = new Map<string, string[]>()
  for (const { group, label } of items) {
    const labels = groups.get(group)
    if (labels === undefined) groups.set(group, [label])
    else labels.push(label)
  }
  const several = [...groups.values()].filter((labels) => labels.length > 1)
  return rate(several, (labels) => new Set(labels).size > 1)
}
