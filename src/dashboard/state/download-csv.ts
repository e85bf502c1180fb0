const MAX_PAGES = 20
const PAGE_ITEMS = 100

export interface DownloadedList {
  readonly path: string
  /** Filters; empty ones are left out. */
  readonly query: Readonly<Record<string, unknown>>
}

/** A list as CSV, at most 2,000 items, read with an API key. Throws if a page cannot be read. */
export async function csvOfList({ path, query }: DownloadedList, key: string): Promise<string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const parameters = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  parameters.set('format', 'csv')
  parameters.set('limit', String(PAGE_ITEMS))
  let text = ''
  for (let page = 0; page < MAX_PAGES; page++) {
    const response = await fetch(`.${path}?${parameters.toString()}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const body = await response.text()
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    text += text === '' ? body : withoutHeader(body)
    const next = nextCursor(response.headers.get('link'))
    if (next === null) break
    parameters.set('cursor', next)
  }
  return text
}

export const withoutHeader = (csv: string): string => csv.slice(csv.indexOf('\r\n') + 2)

/** The cursor in a `Link` header; `null` on the last page. */
export function nextCursor(link: string | null): string | null {
  const address = link === null ? null : /^<([^>]+)>; rel="next"$/.exec(link)?.[1]
  return address === undefined || address === null ? null : new URL(address, 'http://host').searchParams.get('cursor')
}
