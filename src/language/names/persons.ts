import { addTo, groupedBy } from '../grouped-by.ts'
import { rememberedOf } from '../memoize.ts'
import { wordList } from '../model-files.ts'
import type { KnownName } from './aliases.ts'
import type { Titles, CanonicalName } from './mentions.ts'
import { isFirstName, type Sex, sexOf, compatible, PARTICLES, type PersonForm, personForm } from './person-form.ts'
import { dominant } from './surname-alone.ts'

/** A person as named by one mention. */
export interface PersonMention {
  readonly form: PersonForm
  readonly titles: Titles
  readonly known: KnownName | undefined
}

/** A person that the article names in full, in one or several forms. */
interface Person {
  readonly forms: FullName[]
  known: KnownName | undefined
}

interface FullName {
  readonly form: PersonForm
  readonly known: KnownName | undefined
  readonly titles: Titles[]
}

/** If more different names share a surname, they are treated as a list and none are merged. */
const MOST_NAMESAKES = 40

const formKey = ({ words, generation }: PersonForm): string => `${words.join(' ')}|${generation}`

/** The persons of an article by their full names. */
function personsOf(mentions: readonly PersonMention[]): ReadonlyMap<string, Person> {
  const names = fullNames(mentions)
  const persons = new Map<string, Person>()
  for (const family of groupedBy([...names.values()], ({ form }) => form.surname).values()) {
    for (const person of grouped(family)) {
      for (const { form } of person.forms) persons.set(formKey(form), person)
    }
  }
  absorbSurnames(persons)
  return persons
}

function fullNames(mentions: readonly PersonMention[]): ReadonlyMap<string, FullName> {
  const names = new Map<string, FullName>()
  for (const { form, titles, known } of mentions) {
    if (!form.full) continue
    const key = formKey(form)
    const before = names.get(key)
    if (before === undefined) names.set(key, { form, known, titles: [titles] })
    else before.titles.push(titles)
  }
  return names
}

/**
 * Groups the names of one surname into persons. The fullest names come first, so that a shorter one is compared
 * with every person it may mean.
 */
function grouped(family: readonly FullName[]): Person[] {
  const persons: Person[] = []
  const sorted = [...family].sort(
    (a, b) => fullness(b.form) - fullness(a.form) || (formKey(a.form) < formKey(b.form) ? -1 : 1),
  )
  for (const name of sorted) {
    const fitting = family.length > MOST_NAMESAKES ? [] : persons.filter((person) => mayBeSamePerson(person, name))
    const [person] = fitting
    if (person !== undefined && fitting.length === 1) {
      person.forms.push(name)
      person.known ??= name.known
    } else persons.push({ forms: [name], known: name.known })
  }
  return persons
}

/** A given name that is written out counts twice as much as an initial. */
const fullness = ({ given }: PersonForm): number => given.reduce((sum, name) => sum + (name.length > 1 ? 2 : 1), 0)

function mayBeSamePerson({ forms, known }: Person, name: FullName): boolean {
  if (known !== undefined && name.known !== undefined) return known.name === name.known.name
  return forms.every(({ form }) => compatible(form, name.form))
}

/**
 * Merges "López Obrador" or "de Blasio", which look like full names, into the longer name that ends like it, if there
 * is exactly one.
 */
function absorbSurnames(persons: Map<string, Person>): void {
  const byEnding = indexedBy(new Set(persons.values()), endingsOf)
  for (const [key, person] of persons) {
    const ending = endingOf(person)
    const longer = ending === null ? [] : (byEnding.get(ending) ?? []).filter((each) => each !== person)
    const [bearer] = longer
    if (bearer !== undefined && longer.length === 1) persons.set(key, bearer)
  }
}

/** The ending that a longer name must have to be this person; `null` if this is not a surname alone. */
function endingOf({ forms: [only, ...more], known }: Person): string | null {
  if (only === undefined || more.length > 0 || known !== undefined) return null
  return isSurname(only.form) ? only.form.words.join(' ') : null
}

const isSurname = ({ given: [first = ''], generation }: PersonForm): boolean =>
  generation === '' && first.length > 1 && (PARTICLES.has(first) || !isFirstName(first))

/** All endings of a full name: "lopez obrador", "obrador". */
const endingsOf = ({ forms }: Person): readonly string[] =>
  forms.flatMap(({ form: { words } }) => words.slice(1).map((_, i) => words.slice(i + 1).join(' ')))

/** The persons under each of their keys. */
function indexedBy(
  persons: ReadonlySet<Person>,
  keysOf: (person: Person) => readonly string[],
): ReadonlyMap<string, readonly Person[]> {
  const found = new Map<string, Person[]>()
  for (const person of persons) for (const key of new Set(keysOf(person))) addTo(found, key, person)
  return found
}

/** The sex according to titles in the article, or else to the first name. */
function sexOfPerson({ forms }: Person): Sex | null {
  const titled = forms.flatMap(({ titles }) => titles).find(({ sex }) => sex !== null)?.sex
  return titled ?? forms.map(({ form }) => sexOf(form.given[0] ?? '')).find((sex) => sex !== null) ?? null
}

/** The canonical name: from the alias map, or else the fullest form without initials, then the most frequent one. */
function nameOfPerson({ forms, known }: Person): string {
  if (known !== undefined) return known.name
  const rank = ({ form: { given, generation }, titles }: FullName): number =>
    (given[0]?.length === 1 ? 0 : 4e6) +
    (given.some((name) => name.length === 1) ? 0 : 2e6) +
    (generation === '' ? 1e6 : 0) +
    titles.length
  const best = [...forms].sort(
    (a, b) => rank(b) - rank(a) || b.form.name.length - a.form.name.length || (a.form.name < b.form.name ? -1 : 1),
  )
  return best[0]?.form.name ?? ''
}

/** Family names that come first in their language: "Mr. Xi" is Xi Jinping. */
const FIRST_SURNAMES = wordList('names/first-surnames')

/** Canonical names of the mentions, in order. */
export function personNames(mentions: readonly PersonMention[]): CanonicalName[] {
  const bearers = bearersOf(personsOf(mentions))
  const nameOf = rememberedOf(asName)
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

/** Key of mentions that are resolved alike. Resolving them once keeps a long list of namesakes linear. */
const mentionKey = ({ form, titles: { sex, role, formal, written } }: PersonMention): string =>
  [formKey(form), sex, role, formal ? written : ''].join('|')

const asName = (person: Person): CanonicalName => named(nameOfPerson(person), person.known?.wikidata_id)

const named = (name: string, wikidata_id: string | null = null): CanonicalName => ({
  type: 'PERSON',
  name,
  wikidata_id,
})

/** The persons of an article, indexed for short forms. */
type Bearers = ReturnType<typeof bearersOf>

function bearersOf(byFullName: ReadonlyMap<string, Person>) {
  const persons = new Set(byFullName.values())
  const middleOf = ({ forms }: Person): readonly string[] =>
    forms.flatMap(({ form: { words } }) => words.slice(1, -1)).filter((word) => word.length > 1 && !isFirstName(word))
  return {
    byFullName,
    byEnding: indexedBy(persons, endingsOf),
    byFirst: indexedBy(persons, ({ forms }) => forms.map(({ form }) => form.words[0] ?? '')),
    byMiddle: indexedBy(persons, middleOf),
  }
}

/**
 * The person that a short form refers to: by surname, then by a first name or a surname written first, then by the
 * first of two surnames.
 */
function bearerOf(mention: PersonMention, bearers: Bearers): Person | undefined {
  const { form, known } = mention
  const key = form.words.join(' ')
  const family = bearers.byEnding.get(key) ?? []
  const named = fitting(family, mention)
  if (named.length === 1) return named[0]
  if (known !== undefined) return named.find((person) => person.known?.name === known.name)
  if (named.length > 1) return dominant(named, timesNamed)
  return family.length > 0 ? undefined : only(fitting(firstOrMiddle(key, mention, bearers), mention))
}

function firstOrMiddle(key: string, { titles }: PersonMention, { byFirst, byMiddle }: Bearers): readonly Person[] {
  const mayBeFirst = !titles.formal || FIRST_SURNAMES.has(key)
  const byName = mayBeFirst ? (byFirst.get(key) ?? []) : []
  return byName.length > 0 ? byName : (byMiddle.get(key) ?? [])
}

/**
 * The candidates that match sex, generation and office. A "Jr." is meant only if it is written or there is no other
 * candidate.
 */
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

/** How often the article names the person in full. */
const timesNamed = ({ forms }: Person): number => forms.reduce((sum, { titles }) => sum + titles.length, 0)

const only = (persons: readonly Person[]): Person | undefined => (persons.length === 1 ? persons[0] : undefined)

/**
 * The name for a short form that matches no person of the article: a well-known bearer's if nothing contradicts it,
 * otherwise its own.
 */
function loneName(mention: PersonMention, { byEnding }: Bearers): CanonicalName {
  const { form, titles, known } = mention
  if (known !== undefined && agree(sexOf(personForm(known.name).given[0] ?? ''), titles.sex)) {
    return named(known.name, known.wikidata_id)
  }
  const isAnother = known !== undefined || byEnding.has(form.words.join(' '))
  return named(isAnother && titles.sex !== null && titles.formal ? `${titles.written} ${form.name}` : form.name)
}
