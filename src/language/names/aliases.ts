import { once } from '../memoize.ts'
import type { EntityType } from '../../events/articles.ts'
import { modelText, tableLines } from '../model-files.ts'
import { isAllCapitals, nameKey } from './name-key.ts'

/** A canonical name of the alias map. */
export interface KnownName {
  readonly type: EntityType
  readonly name: string
  /** `Q…`; `null` if it is not known for certain. */
  readonly wikidata_id: string | null
}

export interface AliasLine extends KnownName {
  readonly aliases: readonly string[]
}

/** Types in the alias map. Places are in `models/places`. */
const TYPES: readonly EntityType[] = ['PERSON', 'ORG', 'EVENT']
const WIKIDATA_OR_NOTHING = /^(?:Q[1-9]\d*)?$/

/**
 * Reads lines `type<TAB>name<TAB>Wikidata id or nothing<TAB>alias|alias`; throws if one is invalid or ambiguous.
 * Further fields, and the "~" before an alias, are for the recogniser of events (`language/named-events`).
 */
export function parseAliases(tsv: string) {
  const lines = tableLines(tsv).map(parsedLine)
  const names = new Map<string, KnownName>()
  for (const { aliases, ...known } of lines) {
    for (const written of [known.name, ...aliases]) addName(names, written, known)
  }
  const types = fixedTypes(lines)
  return {
    named: (type: EntityType, written: string): KnownName | undefined => {
      const key = aliasKey(written)
      const inCapitals = isAllCapitals(written) ? names.get(`${type} ^${key}`) : undefined
      return inCapitals ?? names.get(`${type} ${key}`)
    },
    /** The type of a name of two or more words, if it is the same in all lines: "White House" is always an `ORG`. */
    typeOf: (written: string): EntityType | undefined => types.get(aliasKey(written)) ?? undefined,
    lines,
  }
}

function parsedLine(fields: readonly string[]): AliasLine {
  const [written, name = '', id = '', aliases = ''] = fields
  const type = TYPES.find((each) => each === written)
  if (type === undefined || nameKey(name) === '') throw new Error(`Not a line of the alias map: ${fields.join('\t')}`)
  if (!WIKIDATA_OR_NOTHING.test(id)) throw new Error(`Not a Wikidata id: ${id}`)
  const bare = aliases.split('|').map((alias) => alias.replace(/^~/, ''))
  return { type, name, wikidata_id: id || null, aliases: bare.filter(Boolean) }
}

/** Key of a name without its article, which mentions have lost: "The Hague" and "Hague" have the same key. */
export function aliasKey(written: string): string {
  const key = nameKey(written)
  return key.startsWith('the ') ? key.slice('the '.length) : key
}

/** A short form in capitals must be written in capitals to match: "WHO" is not "Who". */
const MOST_LETTERS = 6
const keyOf = (written: string): string => {
  const key = aliasKey(written)
  return isAllCapitals(written) && key.length <= MOST_LETTERS && !key.includes(' ') ? `^${key}` : key
}

function addName(names: Map<string, KnownName>, written: string, known: KnownName): void {
  const key = `${known.type} ${keyOf(written)}`
  const other = names.get(key)
  if (other !== undefined) throw new Error(`"${written}" is both ${other.name} and ${known.name}`)
  names.set(key, known)
}

/** A name with two types has no certain type. */
function fixedTypes(lines: readonly AliasLine[]): ReadonlyMap<string, EntityType | null> {
  const types = new Map<string, EntityType | null>()
  for (const { type, name, aliases } of lines) {
    for (const key of [name, ...aliases].map(aliasKey).filter((each) => each.includes(' '))) {
      types.set(key, (types.get(key) ?? type) === type ? type : null)
    }
  }
  return types
}

/** The alias map of the repository, and brands; read on first use, in some 20 ms. */
const maps = once(() => ({
  written: parseAliases(modelText('names/aliases.tsv') + modelText('events/events.tsv')),
  brands: parseAliases(modelText('names/brands.tsv')),
}))

/** The lines of the alias map. */
export const aliasLines = (): readonly AliasLine[] => maps().written.lines

/** The canonical name of a name in the alias map; `undefined` for all others. */
export const aliasOf = (type: EntityType, name: string): KnownName | undefined =>
  maps().written.named(type, name) ?? maps().brands.named(type, name)

/**
 * The only type of a name that has two or more words in the alias map; `undefined` for all others. Brands do not fix a
 * type.
 */
export const fixedType = (name: string): EntityType | undefined => maps().written.typeOf(name)
