/** An answer that says where it goes on. */
export interface Page {
  readonly next_cursor: string | null
}

/** Every page of a list, one request each: `pages(async (cursor) => …)`, see the README. */
export async function* pages<One extends Page>(
  ask: (cursor: string | undefined) => Promise<One>,
  from?: string,
): AsyncGenerator<One, void, undefined> {
  let cursor = from
  do {
    const page = await ask(cursor)
    yield page
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
}
