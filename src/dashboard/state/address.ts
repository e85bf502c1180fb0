/** What the page shows, as stored in its address: everything except the API key and the theme. */
export interface Address {
  readonly page: PageName
  /** The id of a story, a subject or an entity; empty for a list. */
  readonly id: string
  readonly parameters: Readonly<Record<string, string>>
}

export const PAGES = ['stories', 'subjects', 'entities', 'trends', 'search', 'health', 'monitors'] as const
export type PageName = (typeof PAGES)[number]

const isPage = (word: string): word is PageName => PAGES.some((page) => page === word)

/** `#/stories/sto_…?as_of=…`. An unknown address is the list of stories. */
export function readAddress(hash: string): Address {
  const [path = '', query = ''] = split(hash.replace(/^#\/?/, ''))
  const [page = '', id = ''] = path.split('/')
  return {
    page: isPage(page) ? page : 'stories',
    id: isPage(page) ? decoded(id) : '',
    parameters: Object.fromEntries(new URLSearchParams(query)),
  }
}

/** The inverse of `readAddress`; empty parameters are omitted. */
export function writeAddress({ page, id, parameters }: Address): string {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''))
  const path = id === '' ? page : `${page}/${encodeURIComponent(id)}`
  return query.size === 0 ? `#/${path}` : `#/${path}?${query.toString()}`
}

function split(text: string): readonly string[] {
  const at = text.indexOf('?')
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** An address that was cut within an escape sequence is used as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
