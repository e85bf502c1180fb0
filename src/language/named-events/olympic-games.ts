import type { EventTable, OlympicGames } from './event-table.ts'

interface Family {
  readonly season: string | null
  readonly kind: 'Olympics' | 'Paralympics'
}

/** Names of the table whose editions have hosts. */
const FAMILIES: ReadonlyMap<string, Family> = new Map([
  ['Olympic Games', { season: null, kind: 'Olympics' }],
  ['Summer Olympics', { season: 'Summer', kind: 'Olympics' }],
  ['Winter Olympics', { season: 'Winter', kind: 'Olympics' }],
  ['Paralympics', { season: null, kind: 'Paralympics' }],
  ['Summer Paralympics', { season: 'Summer', kind: 'Paralympics' }],
  ['Winter Paralympics', { season: 'Winter', kind: 'Paralympics' }],
])

export const hasHosts = (name: string): boolean => FAMILIES.has(name)

/** What an edition is known by; empty: not said. */
export interface GamesEdition {
  readonly year: string
  readonly host: string
}

/** "2016 Summer Olympics" of "Rio Olympics"; what the table does not know for certain keeps its words. */
export function gamesName({ games }: EventTable, name: string, { year, host }: GamesEdition): string {
  const family = FAMILIES.get(name)
  if (family === undefined) return [year, host, name].filter(Boolean).join(' ')
  if (year === '' && host === '') return name
  const found = games.filter((each) => isOf(each, { year, host, season: family.season }))
  const edition = onlyOne(found) ?? (year === '' ? onlyOne(found.filter(({ usual }) => usual)) : undefined)
  return edition === undefined
    ? [year, host, name === 'Olympic Games' ? 'Olympics' : name].filter(Boolean).join(' ')
    : `${edition.year} ${edition.season} ${family.kind}`
}

const onlyOne = (games: readonly OlympicGames[]): OlympicGames | undefined =>
  games.length === 1 ? games[0] : undefined

interface Sought extends GamesEdition {
  readonly season: string | null
}

const isOf = (games: OlympicGames, { year, host, season }: Sought): boolean =>
  (year === '' || games.year === Number(year)) &&
  (host === '' || games.hosts.includes(host)) &&
  (season === null || games.season === season)
