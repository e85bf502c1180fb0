import type { EntityType } from '../../events/articles.ts'
import { placeNamed, type Places } from '../places/places.ts'
import { aliasOf, nameKey } from './aliases.ts'
import { personNames } from './persons.ts'
import { TITLES } from './titles.ts'

export interface NamedMention {
  readonly type: EntityType
  readonly surface: string
}

const COMPANY_FORM = /,? (?:Inc|Corp|Corporation|Ltd|LLC|Plc|PLC|Co|AG|SA|NV)\.?$/

/** A mention as a name: one blank between words, no article, possessive or title. */
export function plainName({ type, surface }: NamedMention): string {
  const name = surface
    .replace(/\s+/gu, ' ')
    .replace(/['’]s?$/u, '')
    .replace(/^[Tt]he (?=\S)/, '')
  if (type === 'ORG') return name.replace(COMPANY_FORM, '') || name
  return type === 'PERSON' ? withoutTitles(name) : name
}

function withoutTitles(name: string): string {
  const words = name.split(' ')
  let first = 0
  while (first < words.length - 1 && TITLES.has((words[first] ?? '').toLowerCase().replace(/\.$/, ''))) first++
  return words.slice(first).join(' ')
}

/** The canonical name of each mention of one article, in order. Merges only what is certain. */
export function canonicalNames(mentions: readonly NamedMention[], places: Places): string[] {
  const known = mentions.map((mention) => knownName(mention, places))
  const spelling = spellings(mentions, known)
  const spelled = known.map((name, i) => spelling.get(spellingKey(mentions[i], name)) ?? name)
  const persons = personNames(spelled.filter((_, i) => mentions[i]?.type === 'PERSON'))
  const organisations = spelled.filter((_, i) => mentions[i]?.type === 'ORG')
  const long = acronyms(organisations)
  return spelled.map((name, i) => {
    const type = mentions[i]?.type
    if (type === 'PERSON') return persons.nameOf(name)
    return type === 'ORG' ? (long.get(name) ?? name) : name
  })
}

/** By the alias map or the table of places. */
function knownName(mention: NamedMention, places: Places): string {
  const name = plainName(mention)
  const place = mention.type === 'GPE' || mention.type === 'LOC' ? placeNamed(places, name)?.name : undefined
  return place ?? aliasOf(mention.type, name) ?? name
}

const spellingKey = (mention: NamedMention | undefined, name: string): string =>
  `${mention?.type ?? ''} ${nameKey(name)}`

/** Of several spellings of one name the most frequent, a shouted one last: "CLINTON" is "Clinton". */
function spellings(mentions: readonly NamedMention[], names: readonly string[]): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>()
  names.forEach((name, i) => {
    const key = spellingKey(mentions[i], name)
    const forms = counts.get(key) ?? new Map<string, number>()
    counts.set(key, forms.set(name, (forms.get(name) ?? 0) + 1))
  })
  return new Map([...counts].map(([key, forms]) => [key, bestForm([...forms])]))
}

function bestForm(forms: readonly (readonly [string, number])[]): string {
  const rank = ([form, n]: readonly [string, number]): number => (form === form.toUpperCase() ? 0 : 1e6) + n
  return forms.reduce((best, form) => (rank(form) > rank(best) ? form : best))[0]
}

/** Short forms in capitals whose letters begin the words of exactly one organisation of the article. */
function acronyms(organisations: readonly string[]): ReadonlyMap<string, string> {
  const long = new Map<string, Set<string>>()
  for (const name of organisations) {
    const letters = name.match(/(?<![\p{L}\p{N}])\p{Lu}/gu)?.join('') ?? ''
    if (letters.length > 2 && name.includes(' ')) long.set(letters, (long.get(letters) ?? new Set()).add(name))
  }
  const certain = [...long].flatMap(([letters, names]) =>
    names.size === 1 ? [[letters, [...names].join('')] as const] : [],
  )
  return new Map(certain.filter(([letters]) => organisations.includes(letters)))
}
