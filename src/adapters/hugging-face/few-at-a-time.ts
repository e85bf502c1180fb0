/** Calls of an endpoint under way at once: it batches by itself. */
const CALLS = 4

/** What `call` answers to each item, in order, a few calls at a time; throws as the first that fails. */
export async function fewAtATime<Item, Answer>(
  items: readonly Item[],
  call: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  const rest = items.entries()
  const caller = async (): Promise<void> => {
    for (const [i, item] of rest) answers[i] = await call(item)
  }
  await Promise.all(Array.from({ length: CALLS }, caller))
  return answers
}
