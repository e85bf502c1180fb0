import { feedUrlProblem } from '../../domain/feeds/new-feed.ts'

/** What `story init` writes. */
export interface InitAnswers {
  /** Name of the first key, and title of the list of feeds. */
  readonly name: string
  /** Whether `story up` creates a key at its first start. */
  readonly key: boolean
  /** `null` keeps the existing list. */
  readonly outlets: Outlets | null
}

/** Bundled regions, OPML files and addresses of feeds; empty for no outlets. */
export interface Outlets {
  readonly regions: readonly string[]
  readonly opml: readonly string[]
  readonly feeds: readonly string[]
}

const MAX_NAME_CHARACTERS = 80
/** Stands for no regions. */
export const NONE = 'none'
/** As a value of `FIRST_KEY_NAME` it means that no key is created. */
export const NO_KEY = 'off'

/** Returns the name without surrounding white space. Throws if it cannot be a name. */
export function checkedName(text: string): string {
  const name = text.trim()
  if (name === '' || name === NO_KEY || name.length > MAX_NAME_CHARACTERS || /\p{C}/u.test(name))
    throw new Error(`name "${text}": expected 1 to ${MAX_NAME_CHARACTERS} characters in one line, and not "${NO_KEY}"`)
  return name
}

/** The regions of a list separated by commas or spaces; empty for `none`. Throws if one is unknown. */
export function checkedRegions(text: string, known: readonly string[]): readonly string[] {
  const named = text.split(/[\s,]+/).filter((word) => word !== '')
  if (named.length === 1 && named[0] === NONE) return []
  const unknown = named.find((name) => !known.includes(name))
  if (unknown === undefined && named.length > 0) return [...new Set(named)]
  throw new Error(`no region "${unknown ?? ''}": expected ${known.join(', ')} or ${NONE}`)
}

/** Returns the address. Throws if it cannot be watched. */
export function checkedFeed(url: string): string {
  const problem = feedUrlProblem(url)
  if (problem !== null) throw new Error(`feed "${url}": ${problem}`)
  return url
}

/** Addresses and paths of OPML files, as typed in one line. Throws if an address cannot be watched. */
export function checkedAdditions(text: string): Pick<Outlets, 'opml' | 'feeds'> {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const isAddress = (word: string): boolean => /^https?:\/\//i.test(word)
  return { opml: words.filter((word) => !isAddress(word)), feeds: words.filter(isAddress).map(checkedFeed) }
}

/** Throws if the text is neither yes nor no. An empty text is the default. */
export function checkedYes(text: string, whenEmpty: 'yes' | 'no'): boolean {
  const answer = text.trim().toLowerCase() || whenEmpty
  if (/^(y|yes)$/.test(answer)) return true
  if (/^(n|no)$/.test(answer)) return false
  throw new Error(`"${text}": expected y or n`)
}
