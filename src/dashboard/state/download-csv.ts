import { key } from './session.ts'

const MAX_PAGES = 20
const PAGE_ITEMS = 100

/** A list as CSV, at most 2,000 items. Throws an error with the reason of the service. */
export async function csvOfList(path: string, query: Readonly<Record<string, unknown>>): Promise<string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const parameters = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  parameters.set('format', 'csv')
  parameters.set('limit', String(PAGE_ITEMS))
  let text = ''
  for (let page = 0; page < MAX_PAGES; page++) {
    const response = await fetch(`.${path}?${parameters.toString()}`, {
      headers: { authorization: `Bearer ${key.value}` },
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
