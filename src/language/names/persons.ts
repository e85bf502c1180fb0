import { wordList } from '../model-files.ts'
import { isFirstName, type Sex, sexOf } from './first-names.ts'
import {
  addTo,
  endings,
  formKey,
  nameOfPerson,
  type Person,
  type PersonMention,
  personsOf,
  sexOfPerson,
} from './full-names.ts'
import { personForm } from './person-form.ts'
import type { CanonicalName } from './mentions.ts'
import { farMost } from './surname-alone.ts'

/** Family names that stand first where they come from: "Mr. Xi" is Xi Jinping. */
const FIRST_SURNAMES = wordList('names/first-surnames')

/** The persons of an article as its short forms meet them. */
interface Bearers {
  readonly byFullName: ReadonlyMap<string, Person>
  readonly byEnding: ReadonlyMap<string, readonly Person[]>
  readonly byFirst: ReadonlyMap<string, readonly Person[]>
  readonly byMiddle: ReadonlyMap<string, readonly Person[]>
}

/** One name a mention, in order. */
export function personNames(mentions: readonly PersonMention[]): CanonicalName[] {
  const bearers = bearersOf(personsOf(mentions))
  const names = new Map<Person, CanonicalName>()
  const nameOf = (person: Person): CanonicalName => {
    const known = names.get(person) ?? asName(person)
    names.set(person, known)
    return known
  }
  const found = new Map<string, CanonicalName>()
  return mentions.map((mention) => {
    const key = mentionKey(mention)
    const person =
      bearers.byFullName.get(formKey(mention.form)) ?? (found.has(key) ? undefined : bearerOf(mention, bearers))
    const name = found.get(key) ?? (person === undefined ? loneName(mention, bearers) : nameOf(person))
    found.set(key, name)
    return name
  })
}

/** Mentions alike in all that is looked at: one answer for them keeps a long list of namesakes linear. */
const mentionKey = ({ form, titles: { sex, role, formal, written } }: PersonMention): string =>
  [formKey(form), sex, role, formal ? written : ''].join('|')

const asName = (person: Person): CanonicalName => named(nameOfPerson(person), person.known?.wikidata_id)

const named = (name: string, wikidata_id: string | null = null): CanonicalName => ({
  type: 'PERSON',
  name,
  wikidata_id,
})

function bearersOf(byFullName: ReadonlyMap<string, Person>): Bearers {
  const persons = new Set(byFullName.values())
  const byFirst = new Map<string, Person[]>()
  const byMiddle = new Map<string, Person[]>()
  for (const person of persons) {
    const all = person.forms.map(({ form }) => form.words)
    for (const first of new Set(all.map((words) => words[0] ?? ''))) addTo(byFirst, first, person)
    const middle = all.flatMap((words) => words.slice(1, -1)).filter((word) => word.length > 1 && !isFirstName(word))
    for (const word of new Set(middle)) addTo(byMiddle, word, person)
  }
  return { byFullName, byEnding: endings(persons), byFirst, byMiddle }
}

/** The person that a short form means: by surname, then as a name that stands first, then as the first of two surnames. */
function bearerOf(mention: PersonMention, bearers: Bearers): Person | undefined {
  const { form, known } = mention
  const key = form.words.join(' ')
  const family = bearers.byEnding.get(key) ?? []
  const named = fitting(family, mention)
  if (named.length === 1) return named[0]
  if (known !== undefined) return named.find((person) => person.known?.name === known.name)
  if (named.length > 1) return farMost(named, timesNamed)
  return family.length > 0 ? undefined : only(fitting(firstOrMiddle(key, mention, bearers), mention))
}

function firstOrMiddle(key: string, { titles }: PersonMention, { byFirst, byMiddle }: Bearers): readonly Person[] {
  const mayBeFirst = !titles.formal || FIRST_SURNAMES.has(key)
  const byName = mayBeFirst ? (byFirst.get(key) ?? []) : []
  return byName.length > 0 ? byName : (byMiddle.get(key) ?? [])
}

/** The candidates that sex, generation and office leave; a "Jr." is meant only where it is written or he is the only one. */
function fitting(persons: readonly Person[], { form, titles }: PersonMention): readonly Person[] {
  const ofSex = persons.filter((person) => agree(sexOfPerson(person), titles.sex))
  const generation = ofSex.filter(({ forms }) => forms.some((each) => each.form.generation === form.generation))
  const left = generation.length > 0 || form.generation !== '' ? generation : ofSex
  if (left.length < 2 || titles.role === null) return left
  const inOffice = left.filter(({ forms }) =>
    forms.some((each) => each.titles.some(({ role }) => role === titles.role)),
  )
  return inOffice.length === 1 ? inOffice : left
}

const agree = (one: Sex | null, other: Sex | null): boolean => one === null || other === null || one === other

/** How often the article has a full name of the person. */
const timesNamed = ({ forms }: Person): number => forms.reduce((sum, { titles }) => sum + titles.length, 0)

const only = (persons: readonly Person[]): Person | undefined => (persons.length === 1 ? persons[0] : undefined)

/** A short form nobody of the article answers to: a well-known bearer's, if nothing speaks against, else its own. */
function loneName(mention: PersonMention, { byEnding }: Bearers): CanonicalName {
  const { form, titles, known } = mention
  if (known !== undefined && agree(sexOf(personForm(known.name).given[0] ?? ''), titles.sex)) {
    return named(known.name, known.wikidata_id)
  }
  const isAnother = known !== undefined || byEnding.has(form.words.join(' '))
  return named(isAnother && titles.sex !== null && titles.formal ? `${titles.written} ${form.name}` : form.name)
}
