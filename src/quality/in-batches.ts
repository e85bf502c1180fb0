/** Reads items in batches of `size`, one batch after another. Returns the results in the order of the items. */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  size: number,
  read: (batch: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += size) results.push(...(await read(items.slice(from, from + size))))
  return results
}
