import { nameIndex, type TypedName } from '../../language/names/name-index.ts'
import type { EnrichedMemberRecord } from './changelog.ts'

/** What a story's articles name. */
export interface Editorial {
  /** Another number when they name something else. */
  readonly edition: number
  readonly names: ReadonlySet<string>
  /** In the alphabet's order. */
  readonly sorted: readonly string[]
  /** The name articles have for a thing; null: none of them names it. */
  nameOf(thing: TypedName): string | null
}

interface Side {
  readonly members: readonly EnrichedMemberRecord[]
  readonly editorial: Editorial
}

/** Stories whose editorial side is kept: to make an index of names is dear, and a record is emitted again and again. */
const MOST = 256
const kept = new Map<EnrichedMemberRecord, Side>()
let editions = 0

/** What these articles name, at least one, in order of event time; made again only where they are others than before. */
export function editorialOf(members: readonly EnrichedMemberRecord[]): Editorial {
  const [first] = members
  if (first === undefined) return editorial([])
  const known = kept.get(first)
  const same = known?.members.length === members.length && known.members.every((one, i) => one === members[i])
  const side = known !== undefined && same ? known : { members: [...members], editorial: editorial(members) }
  kept.delete(first) // the one that was asked for last stands last
  kept.set(first, side)
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST) break
    kept.delete(oldest)
  }
  return side.editorial
}

function editorial(members: readonly EnrichedMemberRecord[]): Editorial {
  const index = nameIndex()
  const names = new Set<string>()
  const seen = new Set<string>()
  for (const { entity_id, name, type } of members.flatMap(({ entities }) => entities)) {
    if (seen.has(entity_id)) continue
    seen.add(entity_id)
    names.add(name)
    index.add({ name, type })
  }
  const answers = new Map<string, string | null>()
  return {
    edition: ++editions,
    names,
    sorted: [...names].sort(),
    nameOf(thing) {
      const key = `${thing.type} ${thing.name}`
      const known = answers.get(key)
      if (known !== undefined) return known
      const found = index.find(thing)[0]?.name ?? null
      answers.set(key, found)
      return found
    },
  }
}
