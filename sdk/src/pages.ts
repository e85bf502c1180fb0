/** A response with the cursor of the next page; `null` on the last one. */
export interface Page {
  readonly next_cursor: string | null
}

/** Iterates over all pages of a list, one request per page: `pages(async (cursor) => …)`, see the README. */
export async function* pages<One extends Page>(
  fetchPage: (cursor: string | undefined) => Promise<One>,
  from?: string,
): AsyncGenerator<One, void, undefined> {
  let cursor = from
  do {
    const page = await fetchPage(cursor)
    yield page
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
}
