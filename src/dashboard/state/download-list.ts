const MAX_PAGES = 20
const PAGE_ITEMS = 100

export interface DownloadedList {
  readonly path: string
  /** Filters; empty ones are left out. */
  readonly query: Readonly<Record<string, unknown>>
  /** Field of the JSON response that has the items. */
  readonly list: string
  /** The most items that one response may have, if it is not 100. */
  readonly pageItems?: number
}

export type DownloadFormat = 'csv' | 'json'

/** A list as a file, at most 20 pages of it, read with an API key. Throws if a page cannot be read. */
export async function downloadOfList(
  list: DownloadedList,
  { format, key }: { readonly format: DownloadFormat; readonly key: string },
): Promise<string> {
  const pages = await pagesOf(list, { format, key })
  return format === 'csv' ? csvOfPages(pages) : jsonOfPages(pages, list.list)
}

/** The texts of the responses, in order. */
async function pagesOf(
  { path, query, pageItems = PAGE_ITEMS }: DownloadedList,
  { format, key }: { readonly format: DownloadFormat; readonly key: string },
): Promise<readonly string[]> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const parameters = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  parameters.set('format', format)
  parameters.set('limit', String(pageItems))
  const pages: string[] = []
  while (pages.length < MAX_PAGES) {
    const response = await fetch(`.${path}?${parameters.toString()}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    pages.push(await response.text())
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    const next = nextCursor(response.headers.get('link'))
    if (next === null) break
    parameters.set('cursor', next)
  }
  return pages
}

/** One CSV text with the header line of the first page. */
export const csvOfPages = (pages: readonly string[]): string =>
  pages.map((page, i) => (i === 0 ? page : page.slice(page.indexOf('\r\n') + 2))).join('')

/** The first response with the items of all pages. */
export function jsonOfPages(pages: readonly string[], list: string): string {
  const bodies = pages.map((page) => JSON.parse(page) as Readonly<Record<string, unknown>>)
  const items = bodies.flatMap((body) => body[list] as readonly unknown[])
  const rest = Object.entries(bodies[0] ?? {}).filter(([name]) => name !== 'next_cursor')
  return `${JSON.stringify({ ...Object.fromEntries(rest), [list]: items }, null, 2)}\n`
}

/** The cursor in a `Link` header; `null` on the last page. */
export function nextCursor(link: string | null): string | null {
  const address = link === null ? null : /^<([^>]+)>; rel="next"$/.exec(link)?.[1]
  return address === undefined || address === null ? null : new URL(address, 'http://host').searchParams.get('cursor')
}
