import { addTo, groupedBy } from '../grouped-by.ts'
import { rememberedOf } from '../memoize.ts'
import { wordList } from '../model-files.ts'
import type { KnownName } from './aliases.ts'
import type { Titles, CanonicalName } from './mentions.ts'
import { isFirstName, type Sex, sexOf, compatible, PARTICLES, type PersonForm, personForm } from './person-form.ts'
import { farMost } from './surname-alone.ts'

/** A person as one mention names him or her. */
export interface PersonMention {
  readonly form: PersonForm
  readonly titles: Titles
  readonly known: KnownName | undefined
}

/** A person that the article names in full, in one form or several. */
interface Person {
  readonly forms: FullName[]
  known: KnownName | undefined
}

interface FullName {
  readonly form: PersonForm
  readonly known: KnownName | undefined
  readonly titles: Titles[]
}

/** More different names with one surname than these are a list, of which no two are put together. */
const MOST_NAMESAKES = 40

const formKey = ({ words, generation }: PersonForm): string => `${words.join(' ')}|${generation}`

/** The persons of an article, from its full names, and who bears which. */
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

/** Of one surname: the fullest names first, so that a shorter one finds everybody it could stand for. */
function grouped(family: readonly FullName[]): Person[] {
  const persons: Person[] = []
  const sorted = [...family].sort(
    (a, b) => fullness(b.form) - fullness(a.form) || (formKey(a.form) < formKey(b.form) ? -1 : 1),
  )
  for (const name of sorted) {
    const fitting = family.length > MOST_NAMESAKES ? [] : persons.filter((person) => mayBe(person, name))
    const [person] = fitting
    if (person !== undefined && fitting.length === 1) {
      person.forms.push(name)
      person.known ??= name.known
    } else persons.push({ forms: [name], known: name.known })
  }
  return persons
}

/** A name written out counts twice an initial. */
const fullness = ({ given }: PersonForm): number => given.reduce((sum, name) => sum + (name.length > 1 ? 2 : 1), 0)

function mayBe({ forms, known }: Person, name: FullName): boolean {
  if (known !== undefined && name.known !== undefined) return known.name === name.known.name
  return forms.every(({ form }) => compatible(form, name.form))
}

/** "López Obrador" and "de Blasio" look like full names and are the end of one, if there is exactly one. */
function absorbSurnames(persons: Map<string, Person>): void {
  const byEnding = indexedBy(new Set(persons.values()), endingsOf)
  for (const [key, person] of persons) {
    const ending = endingOf(person)
    const longer = ending === null ? [] : (byEnding.get(ending) ?? []).filter((each) => each !== person)
    const [bearer] = longer
    if (bearer !== undefined && longer.length === 1) persons.set(key, bearer)
  }
}

/** What a longer name would have to end in to be this one, where this may be a surname alone. */
function endingOf({ forms: [only, ...more], known }: Person): string | null {
  if (only === undefined || more.length > 0 || known !== undefined) return null
  return isSurname(only.form) ? only.form.words.join(' ') : null
}

const isSurname = ({ given: [first = ''], generation }: PersonForm): boolean =>
  generation === '' && first.length > 1 && (PARTICLES.has(first) || !isFirstName(first))

/** Each ending of a full name: "lopez obrador", "obrador". */
const endingsOf = ({ forms }: Person): readonly string[] =>
  forms.flatMap(({ form: { words } }) => words.slice(1).map((_, i) => words.slice(i + 1).join(' ')))

/** Everybody by each of the keys. */
function indexedBy(
  persons: ReadonlySet<Person>,
  keysOf: (person: Person) => readonly string[],
): ReadonlyMap<string, readonly Person[]> {
  const found = new Map<string, Person[]>()
  for (const person of persons) for (const key of new Set(keysOf(person))) addTo(found, key, person)
  return found
}

/** What titles in the article say, else the first name. */
function sexOfPerson({ forms }: Person): Sex | null {
  const titled = forms.flatMap(({ titles }) => titles).find(({ sex }) => sex !== null)?.sex
  return titled ?? forms.map(({ form }) => sexOf(form.given[0] ?? '')).find((sex) => sex !== null) ?? null
}

/** The name kept: the alias map's, else the form that is fullest without initials, then the most frequent. */
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

/** Family names that stand first where they come from: "Mr. Xi" is Xi Jinping. */
const FIRST_SURNAMES = wordList('names/first-surnames')

/** One name a mention, in order. */
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

/** Mentions alike in all that is looked at: one answer for them keeps a long list of namesakes linear. */
const mentionKey = ({ form, titles: { sex, role, formal, written } }: PersonMention): string =>
  [formKey(form), sex, role, formal ? written : ''].join('|')

const asName = (person: Person): CanonicalName => named(nameOfPerson(person), person.known?.wikidata_id)

const named = (name: string, wikidata_id: string | null = null): CanonicalName => ({
  type: 'PERSON',
  name,
  wikidata_id,
})

/** The persons of an article as its short forms meet them. */
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
