import { definedAcronyms, isAcronym } from './acronyms.ts'
import { aliasOf } from './aliases.ts'
import type { CanonicalName, NamedMention } from './mentions.ts'
import { trimmedName, withoutCompanyForm, withoutPossessive } from './mentions.ts'
import { nameKey } from './name-key.ts'
import type { Organisation } from './organisation.ts'
import { shortForms } from './short-forms.ts'
import { spellings } from './spellings.ts'

/** One name a mention, in order. `isOther`: whether a short name is a person's or a place's as well. */
export function organisationNames(
  mentions: readonly NamedMention[],
  isOther: (short: string) => boolean,
): CanonicalName[] {
  const read = mentions.map(({ surface }) => readOrganisation(surface))
  const spelling = spellings(read.map(({ name }) => name))
  const longOf = shortForms(read, { defined: definedAcronyms(mentions, read), isOther })
  return read.map((organisation) => {
    const { name, known } = longOf(organisation)
    return known ?? { type: 'ORG', name: spelling(name), wikidata_id: null }
  })
}

function readOrganisation(surface: string): Organisation {
  const written = trimmedName(surface)
  const bare = withoutPossessive(written)
  const name = withoutPossessive(withoutCompanyForm(bare)) || surface
  const known = aliasOf('ORG', written) ?? aliasOf('ORG', bare) ?? aliasOf('ORG', name)
  const key = nameKey(name)
  return { name, key, words: key.split(' '), acronym: isAcronym(name), known }
}
