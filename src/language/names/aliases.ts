import { readFileSync } from 'node:fs'
import type { EntityType } from '../../events/articles.ts'
import { projectPath } from '../../config/project-path.ts'
import { parseAliases, type AliasMap, type KnownName } from './alias-map.ts'

const open = (...files: readonly string[]): AliasMap =>
  parseAliases(files.map((file) => readFileSync(projectPath(`models/${file}`), 'utf8')).join(''))

let shipped: { readonly written: AliasMap; readonly brands: AliasMap } | undefined

/** The committed alias map, and brands; read on first use, some 20 ms. */
const maps = () =>
  (shipped ??= { written: open('names/aliases.tsv', 'events/events.tsv'), brands: open('names/brands.tsv') })

/** The name kept for what the alias map knows; undefined for all else. */
export const aliasOf = (type: EntityType, name: string): KnownName | undefined =>
  maps().written.named(type, name) ?? maps().brands.named(type, name)

/** The one type of a name that the alias map holds with two words or more; undefined for all else. Brands fix none. */
export const fixedType = (name: string): EntityType | undefined => maps().written.typeOf(name)
