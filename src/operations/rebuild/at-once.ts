/** Most steps are short questions to the log and the store, which wait more than they work. */
const AT_ONCE = 6

/**
 * Does something with each item, some of them at the same time; answers in the order of the items. After a failure nothing
 * new is begun, what is in hand comes to its end, and then the first failure is thrown.
 */
export async function someAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  atOnce = AT_ONCE,
): Promise<Result[]> {
  const results = new Map<number, Result>()
  const failures: unknown[] = []
  const rest = [...items.entries()]
  const worker = async (): Promise<void> => {
    for (let next = rest.shift(); next !== undefined && failures.length === 0; next = rest.shift()) {
      const [at, item] = next
      await work(item).then(
        (result) => results.set(at, result),
        (cause: unknown) => failures.push(cause),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (failures.length > 0) throw failures[0]
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result)
}
